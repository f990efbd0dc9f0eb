// Gantt charts: ticks for the width that there is, zoom in time, a read-out.
for (const figure of document.querySelectorAll("figure.gantt")) {
  const begin = Number(figure.dataset.begin), length = Number(figure.dataset.length);
  const time = figure.querySelector(".time"), track = figure.querySelector(".track"), ticks = figure.querySelector(".ticks");
  const readout = figure.querySelector(".readout");
  let zoom = 1;
  const draw = () => {
    track.style.setProperty("--zoom", zoom);
    const rough = length * 58 / Math.max(time.clientWidth * zoom, 58), power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
    const step = [1, 2, 5, 10].map((digit) => digit * power).find((digit) => digit >= rough) || power;
    ticks.replaceChildren();
    for (let at = Math.ceil(begin / step) * step; at <= begin + length && ticks.childElementCount < 2000; at += step) {
      if (at + step > begin + length && (begin + length - at) / length * time.clientWidth * zoom < 30 && at > begin) break;
      const tick = document.createElement("span");
      tick.className = "tick"; tick.textContent = at; tick.style.left = 100 * (at - begin) / length + "%";
      ticks.append(tick);
    }
    figure.dataset.scale = zoom.toFixed(3);
  };
  const set = (factor, x) => {
    const before = zoom, place = time.scrollLeft + x;
    zoom = factor === 0 ? 1 : Math.min(Math.max(zoom * factor, 1), 64);
    draw();
    time.scrollLeft = place * zoom / before - x;
  };
  figure.querySelector(".tools").addEventListener("click", (event) => {
    if (event.target.dataset.zoom) set(Number(event.target.dataset.zoom), time.clientWidth / 2);
  });
  time.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return; // the chart or the page scrolls
    event.preventDefault();
    set(Math.exp(-Math.max(-200, Math.min(200, event.deltaY)) / 300), event.clientX - time.getBoundingClientRect().left);
  }, { passive: false });
  time.addEventListener("keydown", (event) => {
    const factor = { "+": 2, "=": 2, "-": 0.5, "0": 0 }[event.key];
    if (factor !== undefined) set(factor, time.clientWidth / 2);
  });
  const tell = (event) => {
    const task = event.target.closest(".task");
    if (task) readout.textContent = task.title;
  };
  track.addEventListener("pointerover", tell);
  track.addEventListener("click", tell);
  new ResizeObserver(draw).observe(time);
  draw();
}
