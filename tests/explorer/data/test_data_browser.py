"""The room "Your data" as a person meets it, in a real browser."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.explorer.browser import settle
from tests.explorer.data.sample_files import HALFPIPE, SCORES, VOTES, aggregated

pytestmark = pytest.mark.browser

MakePage = Callable[..., Page]
Shot = Callable[[Page, str], Path]


def hand_over(page: Page, site: str, file: Path) -> None:
    """Choose a file, which sends it."""
    page.goto(f"{site}/data")
    page.get_by_label("Drop a file here").set_input_files(file)
    expect(page.get_by_role("heading", level=1)).to_have_text(file.name)
    page.wait_for_load_state()  # what is pressed before is not heard


def saved(tmp_path: Path, content: bytes, name: str = "sheet.csv") -> Path:
    """Write a file."""
    path = tmp_path / name
    path.write_bytes(content)
    return path


@pytest.mark.slow
def test_a_real_sheet_is_handed_over_and_k_is_moved(page: Page, site: str, shot: Shot) -> None:
    hand_over(page, site, HALFPIPE)
    marks = page.locator("table.marks")
    expect(marks.locator("s.dropped")).to_have_count(2 * 24)
    slider = page.get_by_role("slider", name="Bribed reporters, k")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(marks.locator("s.dropped")).to_have_count(4 * 24)
    assert "k=2" in page.url
    expect(page.locator(".headline")).to_contain_text("2 bribed reporters")
    page.keyboard.press("Home")
    expect(marks.locator("s.dropped")).to_have_count(0)
    page.reload()
    expect(slider).to_have_value("0")
    page.get_by_label("Bribed reporters, k").first.fill("1")
    expect(page.locator("table.changes tbody tr")).to_have_count(3)
    expect(page.locator("figure svg[role=img]")).to_have_count(1)
    expect(page.locator("#pictures img")).to_have_count(2)
    shot(page, "data")


def test_pictures_follow_when_the_slider_rests(page: Page, site: str) -> None:
    page.goto(f"{site}/data?sheet=judges&k=1&open=none")
    podium = page.locator("#pictures figure").first.get_by_role("img")
    fragile = page.get_by_role("img", name="The most fragile items, with k = 1")
    expect(fragile).to_be_visible()
    slider = page.get_by_role("slider", name="Bribed reporters, k")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("img", name="The most fragile items, with k = 2")).to_be_visible()
    expect(fragile).to_have_count(0)
    page.keyboard.press("Home")
    expect(podium).to_have_accessible_name("The first places, and the scores that k = 0 bribed could have caused")
    expect(page.locator("#pictures figure")).to_have_count(1)


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1280])
def test_the_same_reporters_follow_the_slider(new_page: MakePage, site: str, shot: Shot, width: int) -> None:
    page = new_page(viewport={"width": width, "height": 800})
    page.goto(f"{site}/data?sheet=models")
    step = page.locator("#same")
    expect(step.get_by_role("heading", name="One and the same reporter")).to_be_visible()
    expect(step.locator("table.bribed tbody tr")).to_have_count(1)
    slider = page.get_by_role("slider", name="Bribed reporters, k")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(step.get_by_role("heading", name="The same 2 reporters")).to_be_visible()
    expect(step.locator("table.bribed tbody tr")).to_have_count(2)
    expect(step.locator("figure svg")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    shot(page, f"data-same-{width}")
    page.keyboard.press("Home")
    expect(step).to_contain_text("With k = 0 nobody is bribed.")


def test_a_step_is_computed_when_it_is_opened_and_again_for_another_k(page: Page, site: str) -> None:
    page.goto(f"{site}/data?sheet=moderation&gold=truth&open=none")
    step = page.locator("#certify")
    step.get_by_role("heading", name="Certify").click()
    expect(step.locator(".verdict")).to_contain_text("With any one of 12 bribed, at least")
    assert "open=certify" in page.url
    page.get_by_label("Bribed reporters, k").first.fill("2")
    expect(step.locator(".verdict")).to_contain_text("With any 2 of 12 bribed, at least")
    assert "k=2" in page.url
    expect(page.locator("#same")).not_to_have_attribute("open", "")


@pytest.mark.slow
def test_no_step_waits_for_a_slow_one_which_is_left_when_k_moves(page: Page, site: str) -> None:
    held: list[Route] = []
    page.route("**/data/step/calibrate?*k=1*", lambda route: held.append(route))
    left: list[str] = []
    page.on("requestfailed", lambda request: left.append(request.url))
    page.goto(f"{site}/data?sheet=moderation&gold=truth&k=1&open=none")
    page.locator("#calibrate summary").first.click()
    page.locator("#weigh summary").first.click()
    expect(page.locator("#weigh .verdict")).to_contain_text("from those of equal weights")
    expect(page.locator("#calibrate .working")).to_contain_text("Computing, which takes some seconds")
    assert len(held) == 1
    page.get_by_role("slider", name="Bribed reporters, k").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#calibrate .verdict")).to_contain_text("With 2 of ")
    assert [url.partition("?")[0] for url in left] == [f"{site}/data/step/calibrate"]


@pytest.mark.slow
def test_a_role_is_corrected_by_one_click(page: Page, site: str, tmp_path: Path) -> None:
    hand_over(page, site, saved(tmp_path, b"entry,j1,j2,j3,j4\nx,7.5,8,9,1\ny,5,6.5,6,9\n"))
    expect(page.locator(".read")).to_contain_text("4 reporters")
    page.get_by_label("Role of j4").select_option("left out")
    expect(page.locator(".read")).to_contain_text("3 reporters: 'j1', 'j2', 'j3'")
    page.wait_for_load_state()
    page.get_by_label("Role of j4").select_option("one reporter")
    expect(page.locator(".read")).to_contain_text("4 reporters")


@pytest.mark.slow
def test_the_truth_is_added_as_a_file(page: Page, site: str, tmp_path: Path) -> None:
    hand_over(page, site, saved(tmp_path, VOTES))
    truth = saved(
        tmp_path, b"task,vote\n" + b"".join(f"t{task},{int(task > 3)}\n".encode() for task in range(7)), "t.csv"
    )
    page.get_by_text("Add a file with the truth").click()
    page.get_by_label("One row for each item: its name").set_input_files(truth)
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_text("Truth: t.csv")).to_be_visible()
    page.locator("#certify summary").first.click()
    expect(page.locator("#certify")).to_contain_text("4 of 7 gold items")
    page.get_by_role("link", name="Leave it out").click()
    expect(page.get_by_text("Truth: t.csv")).to_have_count(0)


@pytest.mark.slow
def test_a_file_is_dropped(page: Page, site: str) -> None:
    page.goto(f"{site}/data")
    data = page.evaluate_handle(
        "text => { const data = new DataTransfer(); data.items.add(new File([text], 'dropped.csv')); return data; }",
        SCORES.decode(),
    )
    page.dispatch_event("form[data-drop]", "dragover", {"dataTransfer": data})
    expect(page.locator("form[data-drop]")).to_have_class("over")
    page.dispatch_event("form[data-drop]", "drop", {"dataTransfer": data})
    expect(page.get_by_role("heading", level=1)).to_have_text("dropped.csv")


@pytest.mark.slow
def test_items_are_found_and_chosen(page: Page, site: str, tmp_path: Path) -> None:
    hand_over(page, site, saved(tmp_path, VOTES))
    rows = page.locator("table.answers tbody tr")
    expect(rows).to_have_count(7)
    page.get_by_label("Search items").fill("t5")
    expect(rows).to_have_count(1)
    page.get_by_label("Search items").fill("")
    expect(rows).to_have_count(7)
    page.get_by_label("Show", exact=True).select_option(label="ties")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("t3")
    page.get_by_label("Search items").fill("nothing like it")
    expect(page.get_by_text("No items match")).to_be_visible()


@pytest.mark.slow
def test_what_was_guessed_is_corrected_in_place(page: Page, site: str, tmp_path: Path) -> None:
    hand_over(page, site, saved(tmp_path, b"a,club,c,j1,j2,j3,j4\nx,1,u,7.5,8,9,9\ny,2,v,5,6.5,6,6\n"))
    expect(page.locator(".read")).to_contain_text("items in 'a'")
    page.get_by_text("How the file is read").click()
    page.get_by_label("Column of items").fill("c")
    page.get_by_label("Columns of judges").fill("j1, j2, j3")
    page.get_by_text("Scores", exact=True).click()
    page.get_by_label("Decimals of scores").fill("1")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".read")).to_contain_text("items in 'c', 3 reporters: 'j1', 'j2', 'j3'")
    expect(page.locator("table.answers tbody th").first).to_have_text("u")
    expect(page.get_by_label("Column of items")).to_have_value("c")
    assert "item=c" in page.url
    assert "kind=" not in page.url
    expect(page.locator("#command")).to_contain_text("--item c --judges 'j1, j2, j3' --round 1")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("bad.parquet", b"PAR1", "bad.parquet"),
        ("bad.csv", bytes(range(256)), "bad.csv"),
        ("latin.csv", b"item,worker,label\nt,w,caf\xe9\nt,v,caf\xe9\nt,u,bar\n", "UTF-8"),
    ],
)
def test_a_bad_file_says_what_is_wrong_with_it(
    page: Page, site: str, tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    hand_over(page, site, saved(tmp_path, content, name))
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text(said)
    expect(page.get_by_label("Encoding")).to_be_visible()
    if name == "latin.csv":
        page.get_by_label("Encoding").fill("cp1252")
        page.get_by_role("button", name="Apply").click()
        expect(alert).to_have_count(0)
        expect(page.locator("table.answers")).to_contain_text("café")


@pytest.mark.slow
def test_what_cannot_be_is_said_in_place_and_left_again(page: Page, site: str) -> None:
    page.goto(f"{site}/data?sheet=judges")
    k = page.get_by_label("Bribed reporters, k").first
    k.fill("1.5")
    expect(page.get_by_role("alert")).to_contain_text("“Bribed reporters, k” 1.5")
    k.fill("2")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("table.answers")).to_be_visible()


@pytest.mark.slow
def test_a_download_is_the_file_of_the_command(page: Page, site: str, tmp_path: Path) -> None:
    file = HALFPIPE
    hand_over(page, site, file)
    page.get_by_label("Bribed reporters, k").first.fill("2")
    expect(page.locator(".headline")).to_contain_text("2 bribed")
    for link, ending in (("All answers (CSV)", "csv"), ("Parquet", "parquet")):
        with page.expect_download() as started:
            page.get_by_role("link", name=link).click()
        assert started.value.suggested_filename == f"clean-k2.{ending}"
        content = Path(started.value.path()).read_bytes()
        assert content == aggregated(tmp_path, file.read_bytes(), "--k", "2", name=file.name, ending=ending)


@pytest.mark.slow
def test_a_report_opens_from_disk_without_a_request(
    page: Page, browser: Browser, site: str, tmp_path: Path, shot: Shot
) -> None:
    hand_over(page, site, HALFPIPE)
    with page.expect_download() as started:
        page.get_by_role("link", name="Printable report").click()
    report = tmp_path / "report.html"
    started.value.save_as(report)
    with browser.new_context(offline=True) as context:
        reader = context.new_page()
        asked: list[str] = []
        wrong: list[str] = []
        reader.on("request", lambda request: asked.append(request.url))
        reader.on("console", lambda message: wrong.append(message.text))
        reader.goto(report.as_uri())
        expect(reader.locator("table.marks s")).to_have_count(48)
        expect(reader.locator("figure svg")).to_have_count(3)
        assert reader.locator("figure svg").first.bounding_box()["height"] > 100  # type: ignore[index]
        assert (asked, wrong) == ([report.as_uri()], [])
        shot(reader, "report")


@pytest.mark.slow
@pytest.mark.parametrize("address", ["/data", "/data?sheet=judges", "/data?sheet=models&k=2", "/data?sheet=models&k=x"])
def test_a_telephone_shows_it_all_without_scrolling_sideways(
    new_page: MakePage, site: str, address: str, shot: Shot
) -> None:
    page = new_page(viewport={"width": 360, "height": 740})
    page.goto(site + address)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    if "k" not in address:
        shot(page, "data-telephone")


@pytest.mark.slow
def test_hostile_names_break_nothing_out(new_page: MakePage, site: str, tmp_path: Path) -> None:
    names = ["<script>document.title='no'</script>", "W" * 10_000, "\u202eevil", "'\"><img src=//x onerror=alert(1)>"]
    rows = "".join(f'"{name.replace(chr(34), chr(34) * 2)}",1.5,2,3\n' for name in names)
    page = new_page(viewport={"width": 360, "height": 740})
    hand_over(page, site, saved(tmp_path, f"entry,<b>j1,j2,{'j' * 5_000}\n{rows}".encode()))
    expect(page).to_have_title("sheet.csv · bribeproof")
    expect(page.locator("#result tbody")).to_contain_text(names[0])
    page.locator(".choices a").last.click()
    expect(page).to_have_title("sheet.csv · bribeproof")
    expect(page.locator("table.answers")).to_contain_text(names[0])
    page.wait_for_load_state()  # the text is there before the style sheet
    assert page.locator("main b, main img:not([data-picture])").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.slow
def test_the_keyboard_is_enough(page: Page, site: str, tmp_path: Path) -> None:
    hand_over(page, site, saved(tmp_path, VOTES))
    settle(page)
    reached: list[str] = []
    while not reached or reached[-1] != "Printable report":
        page.keyboard.press("Tab")
        name: str = page.evaluate("[document.activeElement].map(one => one.ariaLabel || one.id || one.innerText)[0]")
        if name == "k":
            page.keyboard.press("ArrowUp")
            expect(page.locator(".headline")).to_contain_text("2 bribed reporters")
        if name in {"How the file is read", "Reproduce this"}:
            page.keyboard.press("Enter")
        settle(page)  # what is shown anew must not take the focus along
        reached.append(name)
        assert len(reached) < 90
    controls = page.locator("main :is(input:not([type=hidden]), select, button, summary):visible")
    assert controls.count() > 15
    for control in controls.all():
        assert control.evaluate("one => one.ariaLabel || one.id || one.innerText") in reached
        assert control.evaluate("one => one.matches('button, summary') || one.labels.length > 0 || !!one.ariaLabel")
    assert {"All answers (CSV)", "Printable report", "Copy the command"} <= set(reached)


@pytest.mark.slow
def test_it_works_without_scripts(new_page: MakePage, site: str, tmp_path: Path) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{site}/data")
    page.get_by_label("Drop a file here").set_input_files(saved(tmp_path, SCORES))
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("sheet.csv")
    page.get_by_label("Bribed reporters, k").first.fill("2")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(".headline")).to_contain_text("2 bribed reporters")
    page.get_by_text("How the file is read").click()
    page.get_by_text("Scores", exact=True).click()
    page.get_by_label("Decimals of scores").fill("1")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("#command")).to_contain_text("--k 2 --round 1")
    page.get_by_label("Bribed reporters, k").first.fill("1")
    page.get_by_role("button", name="Show", exact=True).click()
    page.locator("#audit summary").first.click()
    page.locator("#audit").get_by_role("link", name="Compute this").click()
    expect(page.locator("#audit .verdict")).to_contain_text("reporters")
    page.get_by_label("Role of j5").select_option("left out")
    page.get_by_role("button", name="Read it like this").click()
    expect(page.locator(".read")).to_contain_text("4 reporters: 'j1', 'j2', 'j3', 'j4'")


@pytest.mark.slow
def test_pages_are_turned(page: Page, site: str, tmp_path: Path) -> None:
    votes = "".join(f"t{item},w{voter},{item % 2}\n" for item in range(120) for voter in range(3))
    hand_over(page, site, saved(tmp_path, f"task,worker,vote\n{votes}".encode()))
    for number in (2, 3):
        page.get_by_role("link", name="Next page").click()
        expect(page.get_by_text(f"Page {number} of 3")).to_be_visible()
    expect(page.locator("table.answers tbody tr")).to_have_count(20)
    page.wait_for_load_state()  # a field that is filled before the script runs asks for nothing
    page.get_by_label("Bribed reporters, k").first.fill("0")
    expect(page.locator("table.answers tbody tr")).to_have_count(50)
