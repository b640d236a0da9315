"""What `irontide check` finds: what the engine refuses, and what only a closer look shows.

`subjects` finds out what is meant, `places` where a thing stands, `texts` which are missing, `trials` plays matches to
see which handlers run, and `idle` says of the others why they do not.
"""
