// Line plots tell the point under the pointer, or the one that was touched.
"use strict";
for (const plot of document.querySelectorAll("figure.plot")) {
  const readout = plot.querySelector(".readout");
  const tell = (event) => {
    const tip = event.target.closest(".tip");
    if (tip) readout.textContent = tip.textContent;
  };
  plot.addEventListener("pointerover", tell);
  plot.addEventListener("click", tell);
}
