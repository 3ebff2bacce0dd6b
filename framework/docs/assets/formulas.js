// Formulas of a page, by KaTeX, which make_site.py puts beside this file.
document.addEventListener("DOMContentLoaded", function () {
  renderMathInElement(document.body, {throwOnError: false});
});
