# SPDX-License-Identifier: Apache-2.0
"""What is generated is what would be generated now; `./dev docs` renews it."""

import importlib.util
import json
import subprocess

import run_pages

ROOT = run_pages.ROOT


def load(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / f"tools/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_reference_of_the_model_file_is_that_of_the_program():
    schema = subprocess.run([run_pages.SALTUS, "schema"], capture_output=True, check=True).stdout
    written = (ROOT / "docs/reference/model_file.md").read_text("utf-8")
    assert written == load("reference").Page(json.loads(schema)).text()


def test_reference_has_every_key_of_the_schema():
    schema = json.loads((ROOT / "schema/saltus.schema.json").read_text("utf-8"))
    text = (ROOT / "docs/reference/model_file.md").read_text("utf-8")
    for struct in schema["$defs"].values():
        for key in struct["properties"]:
            assert key == "comment" or f"| `{key}`" in text


def test_records_of_python_are_those_of_the_program():
    schema = json.loads((ROOT / "schema/saltus.schema.json").read_text("utf-8"))
    written = (ROOT / "python/saltus/model.py").read_text("utf-8")
    assert written == load("python_model").module(schema)


def test_reference_of_python_is_that_of_the_package():
    written = (ROOT / "docs/reference/python.md").read_text("utf-8")
    assert written == load("python_reference").page()


def test_reference_of_cpp_is_that_of_the_headers():
    written = (ROOT / "docs/reference/cpp.md").read_text("utf-8")
    assert written == load("cpp_reference").page()


def test_page_of_three_languages_is_that_of_the_examples():
    written = (ROOT / "docs/guide/three_languages.md").read_text("utf-8")
    assert written == load("three_languages").page()


def test_guide_of_cpp_shows_the_example():
    program = (ROOT / "examples/thrown_ball.cpp").read_text("utf-8")
    assert program[program.index("#include"):] in (ROOT / "docs/guide/cpp.md").read_text("utf-8")


def test_gallery_is_that_of_the_examples():
    assert (ROOT / "docs/gallery.md").read_text("utf-8") == load("gallery").page()


def test_pictures_of_the_gallery_are_small_and_belong_to_examples():
    pictures = sorted((ROOT / "docs/figures/gallery").iterdir())
    assert len(pictures) >= 30
    assert all(picture.stat().st_size <= 25_000 for picture in pictures)
    assert sum(picture.stat().st_size for picture in pictures) <= 2_000_000
    assert {picture.stem for picture in pictures} <= set(load("gallery").examples())
