// Clicks through a page in a frame, and tells the page around it what is wrong, or "right".
(() => {
  const wrong = window.failures, told = (figure) => figure.querySelector(".readout").textContent;
  const check = (holds, what) => { if (!holds) wrong.push(what); };
  const name = (figure) => figure.querySelector("figcaption").textContent;
  for (const fold of document.querySelectorAll("details")) {
    const before = fold.open;
    fold.querySelector("summary").click();
    check(fold.open !== before, `a fold does not open: ${fold.querySelector("summary").textContent}`);
    fold.open = true;
  }
  for (const figure of document.querySelectorAll("figure.plot")) {
    const tip = figure.querySelector(".tip");
    tip.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    check(told(figure) === tip.textContent && told(figure) !== "", `a plot tells nothing: ${name(figure)}`);
  }
  for (const figure of document.querySelectorAll("figure.heat, figure.gantt")) {
    const scale = () => Number(figure.dataset.scale);
    const buttons = figure.querySelectorAll("button");
    check(scale() === 1, `it is zoomed at first: ${name(figure)}`);
    buttons[0].click();
    check(scale() > 1 || figure.querySelector("canvas.map")?.width < 200, `it does not zoom: ${name(figure)}`);
    const near = scale();
    buttons[1].click();
    check(scale() < near || near === 1, `it does not zoom out: ${name(figure)}`);
    buttons[2].click();
    check(scale() === 1, `it does not show all again: ${name(figure)}`);
  }
  for (const figure of document.querySelectorAll("figure.heat")) {
    const canvas = figure.querySelector("canvas.map"), box = canvas.getBoundingClientRect(), before = told(figure);
    const move = (x, y) => canvas.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, clientX: x, clientY: y }));
    move(box.left + 48, box.top + 24);
    const first = told(figure);
    check(first !== before && /: .* \S/.test(first), `it does not tell the cell: ${name(figure)}`);
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    const map = JSON.parse(figure.dataset.map);
    check(map.columns < 2 || told(figure) !== first, `arrows do not move: ${name(figure)}`);
    const bytes = map.form === "bytes" ? atob(figure.dataset.values) : "", fit = (canvas.clientWidth - 54) / map.columns;
    for (const key of figure.querySelectorAll(".key[data-value]")) {
      // A cell of this value, away from marks and from the cell that is pointed at.
      const wanted = map.dictionary.indexOf(Number(key.dataset.value));
      const at = [...bytes].findIndex((letter, at) => letter.charCodeAt(0) === wanted && at > map.columns + 2 &&
        !map.marks.some(([row, column]) => Math.abs(row - Math.floor(at / map.columns)) < 4 && Math.abs(column - at % map.columns) < 4));
      if (at < 0 || wanted < 0 || fit < 3) continue;
      const row = Math.floor(at / map.columns), ratio = canvas.width / canvas.clientWidth;
      const x = 46 + (at % map.columns + 0.25) * fit, y = 22 + ((map.upwards ? map.rows - 1 - row : row) + 0.25) * fit;
      const [red, green, blue] = canvas.getContext("2d").getImageData(Math.floor(x * ratio), Math.floor(y * ratio), 1, 1).data;
      const said = getComputedStyle(key).backgroundColor;
      check(said === `rgb(${red}, ${green}, ${blue})`, `the legend has ${said} for ${key.dataset.value}, a cell ${red}, ${green}, ${blue}: ${name(figure)}`);
    }
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    check(pixels.some((byte) => byte > 0), `nothing is drawn: ${name(figure)}`);
    canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: -200, bubbles: true, cancelable: true }));
    check(Number(figure.dataset.scale) > 1 || map.rows * map.columns < 100, `the wheel does not zoom: ${name(figure)}`);
  }
  for (const figure of document.querySelectorAll("figure.gantt")) {
    const task = figure.querySelector(".task");
    task.click();
    check(told(figure) === task.title, `a bar tells nothing: ${name(figure)}`);
    check(figure.querySelectorAll(".tick").length > 1, `no ticks: ${name(figure)}`);
  }
  for (const place of document.querySelectorAll(".table, .graph .frame")) {
    const isCut = place.scrollWidth > place.clientWidth + 1 && place.clientWidth > 0;
    place.scrollLeft = 0;
    place.dispatchEvent(new Event("scroll"));
    check(place.classList.contains("more-right") === isCut, `a table or graph ${isCut ? "does not show" : "shows"} that it goes on`);
  }
  for (const figure of document.querySelectorAll("figure.gantt")) {
    const frame = figure.querySelector(".time").getBoundingClientRect();
    for (const bar of figure.querySelectorAll(".task.event")) {
      const box = bar.getBoundingClientRect();
      check(box.left >= frame.left && box.right <= frame.right, `an event is cut: ${bar.title}`);
    }
  }
  const room = document.documentElement.clientWidth, taken = document.documentElement.scrollWidth;
  check(taken <= room, `it is ${taken} pixels wide, where there are ${room}`);
  const count = (what) => document.querySelectorAll(what).length;
  const figures = `${count("details")} folds, ${count("figure.plot")} plots, ${count("figure.heat")} heat maps, ${count("figure.gantt")} charts`;
  const verdict = wrong.length ? "wrong: " + wrong.join("; ") : `right: ${figures} at ${room} pixels`;
  parent.postMessage(verdict, "*");
})();
