"use strict";
// The script inside a flame graph SVG. It reads everything from the picture: exact positions from
// fg:x and fg:w, rows from y. State (zoom, search, case) is kept in the fragment of the URL.
var FG = "http://github.com/jonhoo/inferno";
var CHARACTER_WIDTH = 7.1;
var view = { frames: [], svg: null, root: null, total: 1, zoom: null, term: "", ignoreCase: false };

function hprof_init(evt) {
  view.root = evt.target.ownerDocument.documentElement;
  view.svg = document.getElementById("frames");
  view.total = Number(view.svg.getAttribute("total_samples")) || 1;
  view.inverted = view.svg.getAttributeNS(FG, "inverted") === "1";
  var groups = view.svg.children;
  for (var i = 0; i < groups.length; i++) view.frames.push(read_frame(groups[i]));
  make_fluid();
  connect();
  restore();
}

function read_frame(group) {
  var rect = group.querySelector("rect");
  var title = group.querySelector("title").textContent;
  return {
    group: group, rect: rect, text: group.querySelector("text"), title: title,
    name: title.replace(/ \([^()]*\)$/, ""),
    x: Number(rect.getAttributeNS(FG, "x")), w: Number(rect.getAttributeNS(FG, "w")),
    y: Number(rect.getAttribute("y"))
  };
}

// With a script the picture takes the width of the window and keeps its letters' size.
function make_fluid() {
  view.root.removeAttribute("viewBox");
  view.root.setAttribute("width", "100%");
  layout();
  window.addEventListener("resize", layout);
}

function layout() {
  var width = view.root.clientWidth || view.root.getBoundingClientRect().width || 1200;
  view.width = Math.max(100, width - 20);
  view.svg.setAttribute("width", view.width);
  ["search", "matched"].forEach(function (id) {
    document.getElementById(id).setAttribute("x", width - 10);
  });
  document.getElementById("case").setAttribute("x", width - 110);
  draw();
}

function connect() {
  view.svg.addEventListener("click", function (e) {
    var frame = frame_of(e.target);
    if (frame) go({ zoom: frame });
  });
  view.svg.addEventListener("mouseover", function (e) {
    var frame = frame_of(e.target);
    document.getElementById("details").textContent = frame ? frame.title : " ";
  });
  view.svg.addEventListener("mouseout", function () {
    document.getElementById("details").textContent = " ";
  });
  document.getElementById("reset").addEventListener("click", function () { go({ zoom: null }); });
  document.getElementById("search").addEventListener("click", ask_search);
  document.getElementById("case").addEventListener("click", toggle_case);
  window.addEventListener("keydown", on_key);
  window.addEventListener("popstate", restore);
  window.addEventListener("hashchange", restore);
}

function on_key(e) {
  if (e.key === "F3" || ((e.ctrlKey || e.metaKey) && e.key === "f")) {
    e.preventDefault();
    ask_search();
  } else if ((e.ctrlKey || e.metaKey) && e.key === "i") {
    e.preventDefault();
    toggle_case();
  } else if (e.key === "Escape") {
    go({ zoom: null, term: "" });
  }
}

function frame_of(target) {
  var group = target.closest ? target.closest("#frames > g") : null;
  if (!group) return null;
  return view.frames.find(function (f) { return f.group === group; });
}

function ask_search() {
  if (view.term) return go({ term: "" });
  var term = prompt("Search for a name (regular expression" +
                    (view.ignoreCase ? ", case ignored)" : ")"), "");
  if (term !== null) go({ term: term });
}

function toggle_case() { go({ ignoreCase: !view.ignoreCase }); }

// Changes the state and puts it into the history.
function go(change) {
  Object.assign(view, change);
  var parts = [];
  if (view.zoom && view.zoom !== view.frames[0]) {
    parts.push("x=" + view.zoom.x, "w=" + view.zoom.w, "y=" + view.zoom.y);
  }
  if (view.term) parts.push("s=" + encodeURIComponent(view.term));
  if (view.ignoreCase) parts.push("i=1");
  var hash = "#" + parts.join("&");
  if (hash !== (location.hash || "#")) {
    try { history.pushState(null, "", hash); } catch (e) { /* no history inside a data: URL */ }
  }
  draw();
}

function restore() {
  var state = {};
  location.hash.slice(1).split("&").forEach(function (part) {
    var at = part.indexOf("=");
    if (at > 0) state[part.slice(0, at)] = decodeURIComponent(part.slice(at + 1));
  });
  view.zoom = !("x" in state) ? null : view.frames.find(function (f) {
    return f.x === Number(state.x) && f.w === Number(state.w) && f.y === Number(state.y);
  }) || null;
  view.term = state.s || "";
  view.ignoreCase = state.i === "1";
  draw();
}

function draw() {
  var zoom = view.zoom || view.frames[0];
  if (!zoom) return;
  var shown = zoom.w || 1;
  view.frames.forEach(function (f) {
    var is_caller = view.inverted ? f.y < zoom.y : f.y > zoom.y;
    var covers = f.x <= zoom.x && f.x + f.w >= zoom.x + zoom.w;
    var inside = f.x >= zoom.x && f.x + f.w <= zoom.x + zoom.w && !is_caller;
    var visible = inside || (is_caller && covers);
    f.group.classList.toggle("hidden", !visible);
    if (!visible) return;
    f.group.classList.toggle("parent", is_caller);
    place(f, is_caller ? 0 : (f.x - zoom.x) / shown, is_caller ? 1 : f.w / shown);
  });
  document.getElementById("reset").classList.toggle("hidden", zoom === view.frames[0]);
  document.getElementById("case").classList.toggle("on", view.ignoreCase);
  search(zoom);
}

function place(f, left, share) {
  f.rect.setAttribute("x", (100 * left).toFixed(4) + "%");
  f.rect.setAttribute("width", (100 * share).toFixed(4) + "%");
  var room = Math.floor((share * view.width - 6) / CHARACTER_WIDTH);
  if (room < 3) {
    if (f.text) f.text.classList.add("hidden");
    return;
  }
  if (!f.text) {
    f.text = document.createElementNS("http://www.w3.org/2000/svg", "text");
    f.text.setAttribute("y", f.y + 11);
    f.group.appendChild(f.text);
  }
  f.text.classList.remove("hidden");
  f.text.setAttribute("x", (100 * left + 300 / view.width).toFixed(4) + "%");
  var cut = Array.from(f.name);
  f.text.textContent = cut.length <= room ? f.name : cut.slice(0, room - 2).join("") + "..";
}

// The matched share counts what lies under several matching frames once.
function search(zoom) {
  var button = document.getElementById("search");
  var label = document.getElementById("matched");
  button.classList.toggle("on", view.term !== "");
  button.textContent = view.term ? "Reset search" : "Search";
  var pattern = null;
  if (view.term) {
    try {
      pattern = new RegExp(view.term, view.ignoreCase ? "i" : "");
    } catch (e) {
      label.textContent = "not a regular expression: " + view.term;
      return;
    }
  }
  var spans = [];
  view.frames.forEach(function (f, index) {
    var matches = pattern !== null && index > 0 && pattern.test(f.name);
    f.group.classList.toggle("match", matches);
    if (matches && f.x >= zoom.x && f.x + f.w <= zoom.x + zoom.w) spans.push(f);
  });
  label.textContent = pattern ? "Matched: " + matched_percent(spans, zoom).toFixed(2) + "%" : " ";
}

function matched_percent(spans, zoom) {
  spans.sort(function (a, b) { return a.x - b.x || b.w - a.w; });
  var end = -1;
  var sum = 0;
  spans.forEach(function (f) {
    if (f.x + f.w <= end) return;
    sum += f.x + f.w - Math.max(end, f.x);
    end = f.x + f.w;
  });
  return 100 * sum / (zoom.w || 1);
}
