"""Files in and out: what has no end is not read to it, what is no file is not replaced, what fails leaves nothing."""

import os

import pytest

from symdp.errors import InputError
from symdp.files import read_text, replace_file
from tests.commands import command, one_line

FULL, ZERO = "/dev/full", "/dev/zero"
NO_DEVICES = pytest.mark.skipif(not (os.path.exists(FULL) and os.path.exists(ZERO)), reason="there are no such devices")


def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path):
    place = tmp_path / "x"
    place.write_text("old")
    replace_file(place, "new")
    assert place.read_text() == "new" and list(tmp_path.iterdir()) == [place]


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    replace_file(link, b"new")
    assert link.is_symlink() and target.read_bytes() == b"new"


def test_what_cannot_be_written_leaves_what_was_there(tmp_path, monkeypatch):
    place = tmp_path / "x"
    place.write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    with pytest.raises(OSError) as failure:
        replace_file(place, "new")
    assert failure.value.filename == str(place)
    assert place.read_text() == "old" and list(tmp_path.iterdir()) == [place]


def test_a_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    replace_file(pipe, "text")
    assert os.read(reader, 10) == b"text" and not pipe.is_file()
    os.close(reader)


@NO_DEVICES
@pytest.mark.parametrize("option", ["--html", "--output"])
def test_a_full_disk_is_one_line_and_the_device_is_left(call, option):
    subject = (
        ["derive", "brownian-motion"] if option == "--html" else ["sgm", "--q", "0.1", "--sigma", "1", "--alpha", "2"]
    )
    result = call(*subject, option, FULL)
    assert result.code == 1 and "cannot write" in one_line(result)
    assert not os.path.isfile(FULL)


def test_the_folder_that_is_not_there_is_named(call, tmp_path):
    result = call("derive", "brownian-motion", "--html", tmp_path / "no" / "x.html")
    assert result.code == 1 and str(tmp_path / "no" / "x.html") in one_line(result)


@NO_DEVICES
@pytest.mark.parametrize("words", [["replay"], ["prove"], ["cite"], ["audit", "math:sin", "--grid"]])
def test_a_device_without_end_is_not_read_to_it(call, words):
    result = call(*words, ZERO)
    assert result.code == 1 and f"{ZERO} is larger than" in one_line(result)


@pytest.mark.parametrize(
    ("data", "said"), [(b"\xff\xfe", "not UTF-8"), (b"x" * 11, "larger than 10 bytes"), (None, "cannot read")]
)
def test_what_is_no_text_is_named(tmp_path, data, said):
    place = tmp_path / "x"
    if data is not None:
        place.write_bytes(data)
    with pytest.raises(InputError, match=said) as failure:
        read_text(str(place), remedy="give another", most=10)
    assert str(place) in str(failure.value) and "give another" in str(failure.value)


def test_a_mark_of_byte_order_is_no_text(tmp_path):
    place = tmp_path / "x"
    place.write_bytes(b"\xef\xbb\xbfabc")
    assert read_text(str(place), remedy="") == "abc"


def test_standard_input_that_is_no_text():
    result = command("replay", "-", input=b"\xff")
    assert (
        result.returncode == 1
        and result.stderr == b"symdp: - is not UTF-8 text; give a file that derive --json wrote\n"
    )


@pytest.mark.parametrize(
    ("drift", "diffusion"),
    [("exp(exp(exp(exp(x))))", "1"), ("1", "exp(exp(exp(exp(x))))"), ("sin(exp(exp(exp(x))))", "1+exp(exp(exp(x)))")],
)
def test_towers_of_exponentials_are_refused(call, drift, diffusion):
    """No number in them is evaluated to a precision that grows with its size."""
    result = call("derive", "--drift", drift, "--diffusion", diffusion)
    assert result.code == 2 and result.err.startswith("symdp: refused: ") and result.err.count("\n") == 1
