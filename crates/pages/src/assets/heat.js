// Heat maps: values to colours once, then a picture that is moved and scaled.
for (const figure of document.querySelectorAll("figure.heat")) {
  const map = JSON.parse(figure.dataset.map);
  const bytes = Uint8Array.from(atob(figure.dataset.values), (letter) => letter.charCodeAt(0));
  const floats = map.form === "floats" ? new Float32Array(bytes.buffer) : null;
  const value = (row, column) => {
    const at = row * map.columns + column;
    if (!floats) return map.dictionary[bytes[at]];
    return Number.isFinite(floats[at]) ? floats[at] : null;
  };
  const canvas = figure.querySelector("canvas.map"), legend = figure.querySelector("canvas.colours");
  const readout = figure.querySelector(".readout"), pen = canvas.getContext("2d");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const picture = document.createElement("canvas");
  picture.width = map.columns; picture.height = map.rows;
  const LEFT = 46, TOP = 22;
  let width = 0, height = 0, fit = 1, scale = 1, left = 0, top = 0, at = null;

  // Anchors of the colours from 0 to 1, in a light and in a dark scheme, and of the negative side.
  const anchors = () => dark.matches
    ? [[27, 31, 37], [60, 44, 120], [176, 50, 130], [250, 120, 80], [255, 240, 170]]
    : [[255, 255, 255], [160, 205, 235], [40, 130, 190], [90, 40, 130], [40, 0, 60]];
  const positive = () => dark.matches ? [[27, 31, 37], [190, 80, 40], [255, 190, 140]] : [[255, 255, 255], [240, 140, 90], [130, 20, 10]];
  const negative = () => dark.matches ? [[27, 31, 37], [40, 110, 190], [160, 215, 255]] : [[255, 255, 255], [110, 170, 220], [10, 50, 130]];
  const classes = () => dark.matches
    ? [[27, 31, 37], [92, 176, 242], [251, 154, 91], [240, 242, 245]]
    : [[255, 255, 255], [11, 98, 168], [214, 110, 40], [27, 31, 36]];
  const between = (colours, part) => {
    const place = Math.min(Math.max(part, 0), 1) * (colours.length - 1), index = Math.min(Math.floor(place), colours.length - 2);
    return colours[index].map((low, k) => Math.round(low + (colours[index + 1][k] - low) * (place - index)));
  };
  const part = (number) => map.colours === "logarithmic" ? Math.log1p(number) / Math.log1p(map.most) : number / map.most;
  const colour = (number) => {
    if (map.colours === "classes") return classes()[number];
    if (map.colours === "diverging") return between(number < 0 ? negative() : positive(), Math.abs(number) / map.most);
    // The least value that is not 0 must be seen.
    return between(anchors(), number > 0 ? 0.18 + 0.82 * part(number) : 0);
  };

  const paint = () => {
    const brush = picture.getContext("2d"), image = brush.createImageData(map.columns, map.rows), known = new Map();
    for (let row = 0; row < map.rows; row++) for (let column = 0; column < map.columns; column++) {
      const number = value(row, column), to = 4 * ((map.upwards ? map.rows - 1 - row : row) * map.columns + column);
      if (number === null) continue;
      if (!known.has(number)) known.set(number, colour(number));
      const shade = known.get(number);
      image.data[to] = shade[0]; image.data[to + 1] = shade[1]; image.data[to + 2] = shade[2]; image.data[to + 3] = 255;
    }
    brush.putImageData(image, 0, 0);
    for (const key of figure.querySelectorAll(".key[data-value]")) key.style.background = `rgb(${colour(Number(key.dataset.value))})`;
    if (!legend) return;
    // What is 0 has a square beside the ramp, which begins with the least value that there is above it.
    const bar = legend.getContext("2d"), low = map.colours === "diverging" ? -map.most : Math.min(map.least, map.most);
    bar.clearRect(0, 0, 256, 34);
    for (let x = 0; x < 240; x++) {
      const share = x / 239;
      const number = map.colours === "logarithmic"
        ? Math.expm1(Math.log1p(low) + share * (Math.log1p(map.most) - Math.log1p(low)))
        : low + share * (map.most - low);
      bar.fillStyle = `rgb(${colour(number)})`;
      bar.fillRect(8 + x, 2, 1, 13);
    }
    bar.font = "12px system-ui, sans-serif"; bar.fillStyle = style("--soft");
    bar.textAlign = "left"; bar.fillText(shown(low), 6, 30);
    bar.textAlign = "right"; bar.fillText((map.beyond ? "≥ " : "") + shown(map.most), 250, 30);
    bar.textAlign = "center"; bar.fillText(map.value, 128, 30);
  };
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const shown = (number) => Number.isInteger(number) ? String(number).replace("-", "−") : String(Number(number.toPrecision(4)));
  const named = (number) => map.colours === "classes" ? map.squares[number][1] : shown(number);
  const label = (of, number) => number.toString(of.radix);
  const place = (of, index) => {
    const first = of.first + index * of.step, last = Math.min(first + of.step - 1, of.last);
    return of.step === 1 ? `${of.name} ${label(of, first)}` : `${of.name}s ${label(of, first)}–${label(of, last)}`;
  };

  const layout = () => {
    const space = Math.max(canvas.parentElement.clientWidth, 120), most = Math.max(Math.min(0.8 * innerHeight, 640), 280);
    fit = Math.min((space - LEFT - 8) / map.columns, (most - TOP - 4) / map.rows);
    width = Math.max(fit * map.columns, 60) + LEFT + 8; height = Math.max(fit * map.rows, 40) + TOP + 4;
    const ratio = devicePixelRatio || 1;
    canvas.style.width = width + "px"; canvas.style.height = height + "px";
    canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio);
    scale = fit; left = 0; top = 0;
    draw();
  };
  const bound = () => {
    scale = Math.min(Math.max(scale, fit), Math.max(64, fit));
    left = Math.min(Math.max(left, 0), Math.max(map.columns - (width - LEFT - 8) / scale, 0));
    top = Math.min(Math.max(top, 0), Math.max(map.rows - (height - TOP - 4) / scale, 0));
    canvas.style.touchAction = scale > fit ? "none" : "pan-y";
  };
  const step = (room, radix) => { // a round number of cells that leaves room for a label
    const rough = room / scale, power = radix ** Math.floor(Math.log(Math.max(rough, 1)) / Math.log(radix) + 1e-9);
    const digits = radix === 16 ? [1, 2, 4, 8, 16] : [1, 2, 5, 10];
    return digits.map((digit) => digit * power).find((digit) => digit >= rough) || power;
  };
  const draw = () => {
    bound();
    const ratio = devicePixelRatio || 1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.save();
    pen.beginPath(); pen.rect(LEFT, TOP, width - LEFT - 8, height - TOP - 4); pen.clip();
    pen.imageSmoothingEnabled = scale * ratio < 1;
    pen.drawImage(picture, LEFT - left * scale, TOP - top * scale, map.columns * scale, map.rows * scale);
    const above = (row) => map.upwards ? map.rows - 1 - row : row;
    if (scale >= 26 && map.colours !== "classes") {
      pen.font = `${Math.min(scale / 2.6, 15)}px system-ui, sans-serif`; pen.textAlign = "center"; pen.textBaseline = "middle";
      for (let y = Math.floor(top); y < Math.min(top + height / scale, map.rows); y++)
        for (let x = Math.floor(left); x < Math.min(left + width / scale, map.columns); x++) {
          const number = value(above(y), x);
          if (number === null || number === 0) continue;
          const [red, green, blue] = colour(number);
          pen.fillStyle = 0.3 * red + 0.59 * green + 0.11 * blue > 140 ? "#14171b" : "#ffffff";
          pen.fillText(shown(number), LEFT + (x + 0.5 - left) * scale, TOP + (y + 0.5 - top) * scale);
        }
    }
    pen.lineWidth = 2; pen.strokeStyle = style("--critical");
    for (const [row, column] of map.marks) {
      pen.beginPath();
      pen.arc(LEFT + (column + 0.5 - left) * scale, TOP + (above(row) + 0.5 - top) * scale, Math.max(scale * 0.7, 5), 0, 7);
      pen.stroke();
    }
    if (at) {
      pen.strokeStyle = style("--accent");
      pen.strokeRect(LEFT + (at.column - left) * scale, TOP + (above(at.row) - top) * scale, Math.max(scale, 3), Math.max(scale, 3));
    }
    pen.restore();
    pen.strokeStyle = style("--line"); pen.lineWidth = 1;
    pen.strokeRect(LEFT - 0.5, TOP - 0.5, width - LEFT - 7, height - TOP - 3);
    pen.font = "12px system-ui, sans-serif"; pen.fillStyle = style("--soft");
    pen.textAlign = "center"; pen.textBaseline = "bottom";
    const right = left + (width - LEFT - 8) / scale, bottom = top + (height - TOP - 4) / scale;
    const skip = step(48, map.across.radix), jump = step(30, map.down.radix);
    for (let column = Math.ceil(left / skip) * skip; column < Math.min(right, map.columns); column += skip)
      pen.fillText(label(map.across, map.across.first + column * map.across.step), Math.min(LEFT + (column + 0.5 - left) * scale, width - 14), TOP - 4);
    pen.textAlign = "right"; pen.textBaseline = "middle";
    for (let row = 0; row < map.rows; row += jump) {
      const y = above(row);
      if (y + 0.5 < top || y + 0.5 > bottom) continue;
      pen.fillText(label(map.down, map.down.first + row * map.down.step), LEFT - 5, Math.min(Math.max(TOP + (y + 0.5 - top) * scale, TOP + 6), height - 8));
    }
    figure.dataset.scale = (scale / fit).toFixed(3);
  };

  const tell = () => {
    if (!at) return;
    const number = value(at.row, at.column);
    readout.textContent = `${place(map.down, at.row)}, ${place(map.across, at.column)}: ${map.value} ${number === null ? "none" : named(number)}`;
  };
  const cell = (x, y) => {
    const column = Math.floor(left + (x - LEFT) / scale), line = Math.floor(top + (y - TOP) / scale);
    if (x < LEFT || y < TOP || column >= map.columns || line >= map.rows) return null;
    return { row: map.upwards ? map.rows - 1 - line : line, column };
  };
  const zoom = (factor, x, y) => {
    const column = left + (x - LEFT) / scale, row = top + (y - TOP) / scale;
    scale *= factor; bound();
    left = column - (x - LEFT) / scale; top = row - (y - TOP) / scale;
    draw();
  };
  const middle = () => [LEFT + (width - LEFT) / 2, TOP + (height - TOP) / 2];
  const all = () => { scale = fit; left = 0; top = 0; draw(); };

  figure.querySelector(".tools").addEventListener("click", (event) => {
    const way = event.target.dataset.zoom;
    if (way === "in") zoom(2, ...middle());
    if (way === "out") zoom(0.5, ...middle());
    if (way === "all") all();
  });
  canvas.addEventListener("wheel", (event) => {
    if (event.deltaY > 0 && scale <= fit) return; // the page scrolls on
    event.preventDefault();
    zoom(Math.exp(-Math.max(-200, Math.min(200, event.deltaY)) / 300), event.offsetX, event.offsetY);
  }, { passive: false });
  const fingers = new Map();
  canvas.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
    if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
    if ((at = cell(event.offsetX, event.offsetY))) { tell(); draw(); }
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId), now = [event.offsetX, event.offsetY];
    if (!before) {
      const over = cell(...now);
      if (over && (!at || over.row !== at.row || over.column !== at.column)) { at = over; tell(); draw(); }
      return;
    }
    const other = [...fingers].find(([id]) => id !== event.pointerId);
    if (other) {
      const far = (point) => Math.hypot(point[0] - other[1][0], point[1] - other[1][1]) || 1;
      zoom(far(now) / far(before), (now[0] + other[1][0]) / 2, (now[1] + other[1][1]) / 2);
    } else {
      left -= (now[0] - before[0]) / scale; top -= (now[1] - before[1]) / scale;
      draw();
    }
    fingers.set(event.pointerId, now);
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => fingers.delete(event.pointerId));
  canvas.addEventListener("keydown", (event) => {
    const move = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (move) {
      const sign = map.upwards ? -1 : 1;
      at = at || { row: 0, column: 0 };
      at = { row: Math.min(Math.max(at.row + sign * move[0], 0), map.rows - 1), column: Math.min(Math.max(at.column + move[1], 0), map.columns - 1) };
      const line = map.upwards ? map.rows - 1 - at.row : at.row;
      left = Math.min(Math.max(left, at.column + 1 - (width - LEFT - 8) / scale), at.column);
      top = Math.min(Math.max(top, line + 1 - (height - TOP - 4) / scale), line);
      tell(); draw();
    } else if (event.key === "+" || event.key === "=") zoom(2, ...middle());
    else if (event.key === "-") zoom(0.5, ...middle());
    else if (event.key === "0") all();
    else return;
    event.preventDefault();
  });
  dark.addEventListener("change", () => { paint(); draw(); });
  // A fold that opens gives its figures their width.
  new ResizeObserver(() => { if (canvas.parentElement.clientWidth) layout(); }).observe(figure.parentElement);
  paint(); layout();
}
