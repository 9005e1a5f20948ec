"use strict";
// Connects FlameData and FlamePainter with the page: toolbar, pointer, keyboard, history. Another page
// uses it by giving an element with the same parts (see flamegraph.html) and data from anywhere.

class FlameView {
  constructor(root, data) {
    this.root = root;
    this.canvas = this.part("canvas");
    this.painter = new FlamePainter(this.canvas);
    this.dark = window.matchMedia("(prefers-color-scheme: dark)");
    this.frame = 0;
    this.reverse = false;
    this.order = "weight";
    this.connect();
    if (data) this.show(data);
  }

  part(name) { return this.root.querySelector(`[data-part="${name}"]`); }

  // --- data and trees

  show(data) {
    this.data = data;
    const header = data.header;
    this.painter.flame = !header.inverted;
    this.reverse = header.reverse;
    this.part("reverse").checked = header.reverse;
    this.part("layout").value = header.inverted ? "icicle" : "flame";
    this.fillSelect("type", header.types.map((t) => `${t.type} (${t.unit})`), data.type);
    this.fillThreads();
    this.palette = new FramePalette(data);
    this.part("color").hidden = Boolean(data.delta);
    this.part("legend").hidden = !data.delta;
    this.rebuild();
    this.restore();
  }

  fillSelect(name, labels, chosen) {
    const select = this.part(name);
    select.replaceChildren(...labels.map((label, i) => new Option(label, i, false, i === chosen)));
    select.hidden = labels.length < 2;
  }

  fillThreads() {
    const select = this.part("thread");
    const totals = this.data.threadTotals();
    const order = this.data.header.threads.map((_, i) => i).sort((a, b) => totals[b] - totals[a]);
    select.replaceChildren(new Option("all threads", -1), ...order.map((i) => new Option(
      `${this.data.header.threads[i] || "no thread"}: ${formatValue(totals[i], this.data.typeInfo())}`,
      i, false, i === this.data.thread)));
    select.hidden = order.length < 2;
  }

  rebuild() {
    const Tree = this.reverse ? ReverseTree : ForwardTree;
    this.tree = new Tree(this.data, this.order);
    this.palette.use(this.part("color").value, this.dark.matches);
    this.painter.setTree(this.tree, this.palette);
    this.search();
    this.layout();
  }

  layout() {
    this.painter.readTheme();
    this.painter.resize();
    this.painter.scrollRow = Math.min(this.painter.scrollRow, this.lastScrollRow());
    this.redraw();
  }

  redraw() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      if (this.tree) this.painter.draw();
    });
  }

  lastScrollRow() {
    return Math.max(0, this.tree.maxDepth + 1 - Math.floor(this.painter.height / ROW));
  }

  // --- zoom

  zoomTo(node, remember = true) {
    const start = this.painter.startOf(node);
    this.painter.zoomed = node;
    this.painter.selected = node;
    this.part("reset").disabled = node === 0;
    this.moveTo(start, start + this.tree.totalOf(node));
    this.describe(node);
    this.showMatched();
    if (remember) this.remember();
  }

  zoomBy(factor) {
    const { x0, x1 } = this.painter.view;
    const selected = this.painter.selected;
    const start = this.painter.startOf(selected);
    const middle = selected === 0 ? (x0 + x1) / 2 : start + this.tree.totalOf(selected) / 2;
    this.zoomAround(Math.min(Math.max(middle, x0), x1), factor);
  }

  zoomAround(x, factor) {
    const { x0, x1 } = this.painter.view;
    const whole = this.painter.whole;
    const width = Math.max(whole * 1e-9, Math.min(whole, (x1 - x0) / factor));
    const from = Math.min(Math.max(0, x - (x - x0) * width / (x1 - x0)), whole - width);
    this.painter.view = { x0: from, x1: from + width };
    this.part("reset").disabled = width >= whole;
    this.redraw();
  }

  panBy(share) {
    const { x0, x1 } = this.painter.view;
    const from = Math.min(Math.max(0, x0 + share * (x1 - x0)), this.painter.whole - (x1 - x0));
    this.painter.view = { x0: from, x1: from + x1 - x0 };
    this.redraw();
  }

  // Glides to a range in a sixth of a second, unless the user wants no motion.
  moveTo(x0, x1) {
    const from = this.painter.view;
    const begin = performance.now();
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (x1 <= x0) return;
    const step = (now) => {
      const t = still ? 1 : Math.min(1, Math.max(0, (now - begin) / 160));
      const eased = 1 - (1 - t) ** 3;
      this.painter.view = {
        x0: from.x0 + (x0 - from.x0) * eased, x1: from.x1 + (x1 - from.x1) * eased
      };
      this.painter.draw();
      this.gliding = t < 1 ? requestAnimationFrame(step) : 0;
    };
    cancelAnimationFrame(this.gliding);
    step(begin);
  }

  scrollRows(rows) {
    const painter = this.painter;
    painter.scrollRow = Math.min(Math.max(0, painter.scrollRow + rows), this.lastScrollRow());
    this.redraw();
  }

  // --- history: the zoomed node and the search are in the URL's fragment

  remember() {
    const parts = [];
    if (this.painter.zoomed !== 0 && !this.reverse) parts.push("z=" + this.painter.zoomed);
    const term = this.part("search").value;
    if (term) parts.push("s=" + encodeURIComponent(term));
    const hash = "#" + parts.join("&");
    if (hash === (location.hash || "#")) return;
    try { history.pushState(null, "", hash); } catch (error) { /* a frame without history */ }
  }

  restore() {
    const state = new URLSearchParams(location.hash.slice(1));
    this.part("search").value = state.get("s") || "";
    this.search();
    const node = Number(state.get("z") || 0);
    const known = Number.isInteger(node) && node >= 0 && node <= this.data.header.nodes;
    if (!this.reverse) this.zoomTo(known ? node : 0, false);
  }

  // --- search

  search() {
    const term = this.part("search").value;
    const field = this.part("search");
    let pattern = null;
    field.classList.remove("wrong");
    try {
      pattern = term ? new RegExp(term, this.part("case").checked ? "" : "i") : null;
    } catch (error) {
      field.classList.add("wrong");
    }
    this.painter.matched = null;
    if (pattern) {
      const matched = new Uint8Array(this.data.names.length);
      this.data.names.forEach((name, i) => { matched[i] = pattern.test(name) ? 1 : 0; });
      this.painter.matched = matched;
    }
    this.showMatched();
    this.redraw();
  }

  showMatched() {
    const label = this.part("matched");
    const matched = this.painter.matched;
    if (!matched) {
      label.textContent = this.part("search").classList.contains("wrong") ? "not a pattern" : "";
      return;
    }
    const node = this.reverse ? 0 : this.painter.zoomed;
    const total = this.tree.totalOf(node);
    label.textContent = "matched " + formatShare(this.tree.matchedTotal(matched, node), total);
  }

  // --- what a frame is

  lines(node) {
    const info = this.data.typeInfo();
    const name = this.tree.nameOf(node);
    const total = this.tree.totalOf(node);
    const whole = this.tree.totalOf(0);
    const zoomed = this.painter.zoomed;
    const lines = [`total ${formatValue(total, info)}, ${formatShare(total, whole)} of all`];
    if (zoomed !== 0) {
      lines[0] += `, ${formatShare(total, this.tree.totalOf(zoomed))} of the zoomed`;
    }
    if (this.data.delta) {
      const change = this.tree.changeOf(node);
      lines.push(`change ${change > 0 ? "+" : ""}${formatValue(change, info)}`);
    } else {
      const self = this.tree.selfOf(node);
      lines.push(`self ${formatValue(self, info)}, ${formatShare(self, whole)} of all`);
    }
    const module = node === 0 ? "" : this.data.modules[this.data.moduleOf[name]];
    if (module) lines.push(module);
    return { name: node === 0 ? "all" : this.data.names[name], lines };
  }

  describe(node) {
    const text = this.lines(node < 0 ? this.painter.selected : node);
    this.part("details").textContent = `${text.name}: ${text.lines.join("; ")}`;
  }

  showTip(node, x, y) {
    const tip = this.part("tip");
    tip.hidden = node < 0;
    if (node < 0) return;
    const text = this.lines(node);
    const title = document.createElement("b");
    title.textContent = text.name;
    tip.replaceChildren(title, ...text.lines.map((line) => {
      const div = document.createElement("div");
      div.textContent = line;
      return div;
    }));
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - box.width - 6)) + "px";
    tip.style.top = (y + 18 + box.height > innerHeight ? y - box.height - 10 : y + 18) + "px";
  }

  // --- wiring

  connect() {
    const on = (name, event, run) => this.part(name).addEventListener(event, run);
    on("type", "change", (e) => this.choose(Number(e.target.value), this.data.thread));
    on("thread", "change", (e) => this.choose(this.data.type, Number(e.target.value)));
    on("order", "change", (e) => { this.order = e.target.value; this.rebuild(); });
    on("layout", "change", (e) => this.setLayout(e.target.value === "flame"));
    on("reverse", "change", (e) => { this.reverse = e.target.checked; this.rebuild(); });
    on("color", "change", () => this.rebuild());
    on("case", "change", () => this.search());
    on("reset", "click", () => this.zoomTo(0));
    on("help", "click", () => this.part("keys").showModal());
    on("search", "input", () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.search(), 120);
    });
    on("search", "keydown", (e) => this.searchKey(e));
    this.connectPointer();
    document.addEventListener("keydown", (e) => this.key(e));
    window.addEventListener("resize", () => this.layout());
    window.addEventListener("popstate", () => this.restore());
    this.dark.addEventListener("change", () => this.rebuild());
  }

  choose(type, thread) {
    this.data.select(type, thread);
    this.fillThreads();
    this.rebuild();
  }

  setLayout(flame) {
    this.painter.flame = flame;
    this.part("layout").value = flame ? "flame" : "icicle";
    this.layout();
  }

  connectPointer() {
    const canvas = this.canvas;
    const at = (e) => {
      const box = canvas.getBoundingClientRect();
      return { x: e.clientX - box.left, y: e.clientY - box.top };
    };
    let drag = null;
    canvas.addEventListener("pointerdown", (e) => {
      drag = { ...at(e), moved: false, id: e.pointerId };
    });
    canvas.addEventListener("pointermove", (e) => {
      const point = at(e);
      if (drag && Math.abs(point.x - drag.x) + Math.abs(point.y - drag.y) > (drag.moved ? 0 : 4)) {
        if (!drag.moved) canvas.setPointerCapture(drag.id);
        this.panBy((drag.x - point.x) / this.painter.width);
        this.scrollRows((this.painter.flame ? 1 : -1) * (point.y - drag.y) / ROW);
        drag = { ...point, moved: true, id: drag.id };
        this.showTip(-1);
        return;
      }
      if (drag) return;
      const node = this.tree ? this.painter.hit(point.x, point.y) : -1;
      if (node !== this.painter.hovered) {
        this.painter.hovered = node;
        this.redraw();
        this.describe(node);
      }
      this.showTip(e.pointerType === "touch" ? -1 : node, e.clientX, e.clientY);
    });
    canvas.addEventListener("pointerup", (e) => {
      const moved = drag && drag.moved;
      drag = null;
      if (moved) return;
      const point = at(e);
      const node = this.painter.hit(point.x, point.y);
      if (node >= 0) this.zoomTo(node);
    });
    canvas.addEventListener("pointerleave", () => {
      this.painter.hovered = -1;
      this.showTip(-1);
      this.redraw();
    });
    canvas.addEventListener("wheel", (e) => {
      e.preventDefault();
      const point = at(e);
      if (e.ctrlKey || e.metaKey) {
        const x = this.painter.view.x0 + point.x / this.painter.scale;
        this.zoomAround(x, Math.exp(-e.deltaY / 300));
      } else {
        if (e.deltaX) this.panBy(e.deltaX / this.painter.width);
        const rows = e.deltaY / (e.deltaMode === 1 ? 1 : ROW);
        this.scrollRows(this.painter.flame ? -rows : rows);
      }
    }, { passive: false });
  }

  searchKey(e) {
    if (e.key === "Enter") {
      this.search();
      this.remember();
      this.canvas.focus();
    } else if (e.key === "Escape") {
      e.target.value = "";
      this.search();
      this.canvas.focus();
    }
    e.stopPropagation();
  }

  key(e) {
    if (!this.tree || (e.ctrlKey && e.key !== "f") || e.altKey || e.metaKey) return;
    if (e.target.closest("select, input, dialog")) return;
    if (e.ctrlKey || e.key === "/") return this.take(e, () => this.part("search").select());
    const run = {
      "?": () => this.part("keys").showModal(),
      "+": () => this.zoomBy(1.5), "=": () => this.zoomBy(1.5), "-": () => this.zoomBy(1 / 1.5),
      Enter: () => this.zoomTo(this.painter.selected),
      Escape: () => this.escape(),
      ArrowLeft: () => this.walk("left"), ArrowRight: () => this.walk("right"),
      ArrowUp: () => this.walk(this.painter.flame ? "in" : "out"),
      ArrowDown: () => this.walk(this.painter.flame ? "out" : "in"),
      PageUp: () => this.scrollRows(this.painter.flame ? 20 : -20),
      PageDown: () => this.scrollRows(this.painter.flame ? -20 : 20),
      i: () => this.setLayout(!this.painter.flame),
      r: () => { this.part("reverse").click(); },
    }[e.key];
    if (run) this.take(e, run);
  }

  take(e, run) {
    e.preventDefault();
    if (e.target.tagName === "BUTTON" && e.key === "Enter") return e.target.click();
    run();
    return undefined;
  }

  escape() {
    if (this.part("search").value) {
      this.part("search").value = "";
      this.search();
    } else {
      this.zoomTo(0);
    }
  }

  // Moves the selection to a sibling, the parent, or the widest child.
  walk(direction) {
    const painter = this.painter;
    const node = painter.selected;
    const tree = this.tree;
    let next = node;
    if (direction === "out") next = tree.parentOf(node);
    if (direction === "in" && tree.hasChildren(node)) {
      const nodes = tree.childrenOf(node).nodes;
      for (const child of nodes) {
        if (next === node || tree.totalOf(child) > tree.totalOf(next)) next = child;
      }
    }
    if ((direction === "left" || direction === "right") && node !== 0) {
      const nodes = tree.childrenOf(tree.parentOf(node)).nodes;
      const index = nodes.indexOf(node) + (direction === "left" ? -1 : 1);
      if (index >= 0 && index < nodes.length) next = nodes[index];
    }
    painter.selected = next;
    this.reveal(next);
    this.describe(next);
    this.redraw();
  }

  reveal(node) {
    const painter = this.painter;
    const depth = this.tree.depthOf(node);
    const rows = Math.floor(painter.height / ROW) - 1;
    if (depth < painter.scrollRow) painter.scrollRow = depth;
    if (depth > painter.scrollRow + rows) painter.scrollRow = depth - rows;
    const start = painter.startOf(node);
    const { x0, x1 } = painter.view;
    const end = start + this.tree.totalOf(node);
    if (end <= x0 || start >= x1) {
      const from = Math.min(Math.max(0, (start + end - (x1 - x0)) / 2), painter.whole - (x1 - x0));
      painter.view = { x0: from, x1: from + x1 - x0 };
    }
  }
}
