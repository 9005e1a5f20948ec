"use strict";
// Draws the visible part of a tree on a canvas: cost grows with pixels, not with stacks. Children that
// are narrower than half a pixel are passed over by binary search and drawn as one grey strip.

const ROW = 18;
const FONT = '12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
const TINY = 0.5;

// The first index whose value is beyond `x` in an ascending array.
function upperBound(values, x, from) {
  let low = from;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

function hashText(text) {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  hash ^= hash >>> 15;
  return Math.imul(hash, 2246822519) >>> 0;
}

class FramePalette {
  constructor(data) {
    this.data = data;
    this.mode = "module";
    this.cache = [];
  }
  use(mode, dark) {
    this.mode = mode;
    this.dark = dark;
    this.cache = new Array(this.data.names.length);
  }
  color(name) { return this.cache[name] || (this.cache[name] = this.make(name)); }
  make(name) {
    const text = this.data.names[name];
    const module = this.data.modules[this.data.moduleOf[name]];
    const shade = (hashText(text) % 100) / 100;
    const light = (this.dark ? 58 : 68) + 10 * shade;
    if (text.startsWith("[unknown") || text.startsWith("[truncated")) return `hsl(0 0% ${light}%)`;
    if (this.mode === "module" && module) {
      if (module.startsWith("[kernel") || module === "vmlinux") return `hsl(28 80% ${light - 6}%)`;
      return `hsl(${hashText(module) % 360} 55% ${light}%)`;
    }
    return `hsl(${(hashText(text) >>> 8) % 50} 75% ${light - 4}%)`;
  }
  // Red: more, blue: less; as strong as the share of the total that changed.
  change(share) {
    const amount = Math.min(1, Math.sqrt(Math.abs(share)));
    if (amount < 0.005) return this.dark ? "#8a8a8a" : "#e4e4e4";
    return `hsl(${share > 0 ? 0 : 225} ${40 + 45 * amount}% ${88 - 36 * amount}%)`;
  }
}

class FlamePainter {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.flame = true;       // root at the bottom; else icicle
    this.matched = null;     // by name
    this.selected = 0;
    this.hovered = -1;
    this.scrollRow = 0;      // in rows, from the root
    this.context.font = FONT;
    this.characterWidth = this.context.measureText("mmmmmmmmmm").width / 10 || 7;
  }

  setTree(tree, palette) {
    this.tree = tree;
    this.palette = palette;
    this.whole = Math.max(tree.totalOf(0), Number.MIN_VALUE);
    this.view = { x0: 0, x1: this.whole };
    this.zoomed = 0;
    this.selected = 0;
    this.hovered = -1;
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.max(1, Math.round(this.width * ratio));
    this.canvas.height = Math.max(1, Math.round(this.height * ratio));
    this.ratio = ratio;
  }

  readTheme() {
    const style = getComputedStyle(this.canvas);
    this.theme = {
      background: style.getPropertyValue("--canvas").trim(),
      strip: style.getPropertyValue("--strip").trim(),
      dim: style.getPropertyValue("--dim").trim(),
      accent: style.getPropertyValue("--accent").trim(),
      match: style.getPropertyValue("--match").trim(),
      text: style.getPropertyValue("--text").trim()
    };
  }

  rowsInView() { return Math.ceil(this.height / ROW) + 1; }
  yOf(depth) {
    const y = (depth - this.scrollRow) * ROW;
    return this.flame ? this.height - y - ROW : y;
  }
  depthAt(y) {
    const distance = this.flame ? this.height - y : y;
    return Math.floor(distance / ROW + this.scrollRow);
  }

  // Where a node begins, in the units of the column.
  startOf(node) {
    let start = 0;
    while (node !== 0) {
      const parent = this.tree.parentOf(node);
      const children = this.tree.childrenOf(parent);
      const index = children.nodes.indexOf(node);
      if (index < 0) return start;
      start += children.starts[index];
      node = parent;
    }
    return start;
  }

  draw() {
    const context = this.context;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = this.theme.background;
    context.fillRect(0, 0, this.width, this.height);
    context.font = FONT;
    context.textBaseline = "middle";
    this.scale = this.width / (this.view.x1 - this.view.x0);
    this.drawn = 0;
    const last = this.scrollRow + this.rowsInView();
    const pending = [0, 0];
    while (pending.length > 0) {
      const x = pending.pop();
      const node = pending.pop();
      const depth = this.tree.depthOf(node);
      if (depth >= Math.floor(this.scrollRow)) this.drawFrame(node, x, depth);
      if (depth + 1 < last && this.tree.hasChildren(node)) this.pushChildren(node, x, depth, pending);
    }
    this.outline(this.hovered, this.theme.dim);
    this.outline(this.selected, this.theme.accent);
  }

  pushChildren(node, x, depth, pending) {
    const { nodes, starts } = this.tree.childrenOf(node);
    const view = this.view;
    const tiny = TINY / this.scale;
    let i = Math.max(0, upperBound(starts, view.x0 - x, 0) - 1);
    while (i < nodes.length && x + starts[i] < view.x1) {
      if (starts[i + 1] - starts[i] >= tiny) {
        pending.push(nodes[i], x + starts[i]);
        i++;
        continue;
      }
      const begin = i;
      // As far as one pixel's worth, then on while they stay tiny.
      while (i < nodes.length && starts[i + 1] - starts[i] < tiny && x + starts[i] < view.x1) {
        i = Math.max(i + 1, upperBound(starts, starts[i] + tiny, i) - 1);
      }
      this.drawStrip(x + starts[begin], x + starts[Math.min(i, nodes.length)], depth + 1);
    }
  }

  drawStrip(from, to, depth) {
    if (depth < this.scrollRow - 1) return;
    const left = Math.max(0, (from - this.view.x0) * this.scale);
    const right = Math.min(this.width, (to - this.view.x0) * this.scale);
    if (right - left < 0.3) return;
    this.context.fillStyle = this.theme.strip;
    this.context.fillRect(left, this.yOf(depth), right - left, ROW - 1);
  }

  drawFrame(node, x, depth) {
    const left = Math.max(0, (x - this.view.x0) * this.scale);
    const right = Math.min(this.width, (x + this.tree.totalOf(node) - this.view.x0) * this.scale);
    const width = right - left;
    if (width <= 0) return;
    const y = this.yOf(depth);
    const context = this.context;
    const color = this.colorOf(node);
    context.fillStyle = color;
    context.fillRect(left, y, width > 3 ? width - 1 : width, ROW - 1);
    this.drawn++;
    const room = Math.floor((width - 8) / this.characterWidth);
    if (room < 2) return;
    const name = node === 0 ? "all" : this.palette.data.names[this.tree.nameOf(node)];
    context.fillStyle = color === this.theme.strip ? this.theme.text : "#101014";
    context.fillText(name.length <= room ? name : name.slice(0, room - 1) + "\u2026", left + 4,
                     y + ROW / 2);
  }

  colorOf(node) {
    if (node === 0) return this.theme.strip;
    const name = this.tree.nameOf(node);
    if (this.matched) return this.matched[name] ? this.theme.match : this.theme.strip;
    if (this.palette.data.delta) {
      return this.palette.change(this.tree.changeOf(node) / this.tree.totalOf(node));
    }
    return this.palette.color(name);
  }

  outline(node, color) {
    if (node < 0 || (node === 0 && this.selected !== this.hovered)) return;
    const start = this.startOf(node);
    const left = Math.max(0, (start - this.view.x0) * this.scale);
    const right = Math.min(this.width, (start + this.tree.totalOf(node) - this.view.x0) * this.scale);
    if (right <= left) return;
    this.context.strokeStyle = color;
    this.context.lineWidth = 2;
    this.context.strokeRect(left + 1, this.yOf(this.tree.depthOf(node)) + 1,
                            Math.max(1, right - left - 3), ROW - 3);
  }

  // The node under a point of the canvas, or -1.
  hit(px, py) {
    const depth = this.depthAt(py);
    const x = this.view.x0 + px / this.scale;
    let node = 0;
    let start = 0;
    if (depth < 0 || x < 0 || x >= this.whole) return -1;
    for (let d = 0; d < depth; d++) {
      if (!this.tree.hasChildren(node)) return -1;
      const { nodes, starts } = this.tree.childrenOf(node);
      const index = upperBound(starts, x - start, 0) - 1;
      if (index < 0 || index >= nodes.length) return -1;
      start += starts[index];
      node = nodes[index];
    }
    return node;
  }
}
