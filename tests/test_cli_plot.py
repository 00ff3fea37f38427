"""``symdp plot``: files that are pictures, and one line for what cannot be drawn."""

import pytest

OU = ("plot", "ornstein-uhlenbeck", "--over", "t=1/10:2", "--at", "alpha=8,Delta=1,theta=1,rho=1")


@pytest.mark.parametrize(("ending", "magic"), [("png", b"\x89PNG"), ("SVG", b"<?xml"), ("pdf", b"%PDF")])
def test_pictures(call, tmp_path, ending, magic):
    pytest.importorskip("matplotlib")
    file = tmp_path / f"ou.{ending}"
    result = call(*OU, "--points", 10, "--output", file)
    assert (result.code, result.out, result.err) == (0, "", "")
    assert file.read_bytes().startswith(magic)
    assert list(tmp_path.iterdir()) == [file], "nothing else is left"


def test_kappa_and_the_order(call, tmp_path):
    pytest.importorskip("matplotlib")
    starts = ("--at", "theta=1,rho=1,x=1,xp=0")
    kappa = ("plot", "ornstein-uhlenbeck", "--what", "kappa", "--over", "t=0.1:2:log", "--log", "--points", 5)
    assert call(*kappa, *starts, "--output", tmp_path / "kappa.png").code == 0
    order = ("plot", "ornstein-uhlenbeck", "--over", "alpha=1.5:32", "--points", 5)
    assert call(*order, *starts, "--at", "t=1", "--output", tmp_path / "order.png").code == 0


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        (("--output", "ou.gif"), 1, "--output: 'ou.gif' has no known ending; end it in .png, .svg, .pdf"),
        ((), 1, "no --output"),
        (("--output", "ou.png", "--what", "truthiness"), 1, "--what: 'truthiness' cannot be drawn"),
        (("--output", "ou.png", "--points", "1"), 1, "--points: 1 points cannot be drawn; 2 to"),
        (("--output", "ou.png", "--points", "many"), 1, "--points, column 1: unknown name"),
        (("--output", "ou.png", "--what", "kappa"), 2, "refused: no value on the whole range: kappa is of two starts"),
        (("--output", "ou.png", "--at", "t=1"), 1, "--over: t is given in --at too"),
    ],
)
def test_what_cannot_be_drawn(call, tmp_path, monkeypatch, more, code, said):
    monkeypatch.chdir(tmp_path)
    result = call(*OU, *more)
    assert result.code == code and result.err.count("\n") == 1 and said in result.err
    assert not list(tmp_path.iterdir())


def test_a_range_is_needed(call, tmp_path):
    result = call("plot", "ornstein-uhlenbeck", "--output", tmp_path / "a.png")
    assert result.code == 1 and "no --over" in result.err


def test_help_names_the_catalogue(call):
    result = call("plot", "--help")
    assert "ornstein-uhlenbeck" in result.out and "--over" in result.out
