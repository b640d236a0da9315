"""What irontide holds beside its modules, wherever it was imported from: the sources or an installed wheel."""

from importlib.resources import files

import pytest


@pytest.mark.parametrize("package", ["irontide", "irontide_abilities", "irontide_variants", "irontide_play"])
def test_package_tells_type_checkers_that_it_is_typed(package):
    assert files(package).joinpath("py.typed").is_file()


@pytest.mark.parametrize("folder", [files("irontide") / "messages", files("irontide_variants")])
def test_data_lies_beside_its_modules(folder):
    assert any(entry.name.endswith(".toml") for entry in folder.iterdir())
