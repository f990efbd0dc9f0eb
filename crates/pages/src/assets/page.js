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
// What is wider than its place shows on which sides there is more.
for (const place of document.querySelectorAll(".table, .graph .frame")) {
  const look = () => {
    const hidden = place.scrollWidth - place.clientWidth;
    place.classList.toggle("more-left", place.scrollLeft > 1);
    place.classList.toggle("more-right", place.scrollLeft < hidden - 1);
  };
  place.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(look).observe(place);
  look();
}
