"use strict";
// The data of a flame graph and the trees over it. Nothing here knows the page.
//
// FlameData holds the call tree in preorder (node 0 is the root, a subtree is [i, end[i])) and rows of
// (node, thread, values). Weights are a prefix sum over the nodes, so the total of any subtree is one
// subtraction. ForwardTree and ReverseTree give children lazily: only what is looked at is laid out.


// Reads LEB128 numbers. Values beyond 2^53 lose their last digits, as any JavaScript number does.
class NumberReader {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }
  next() {
    let byte = this.bytes[this.at++];
    if (byte < 128) return byte;
    let value = byte & 127;
    let scale = 128;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte >= 128);
    return value;
  }
  fill(column) {
    for (let i = 0; i < column.length; i++) column[i] = this.next();
    return column;
  }
}

async function gunzip(bytes) {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("this browser is too old: it has no DecompressionStream");
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

class FlameData {
  static async fromBase64(text) {
    const binary = atob(text.trim());
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return FlameData.fromGzip(bytes);
  }

  static async fromUrl(url, options) {
    const response = await fetch(url, options);
    if (!response.ok) throw new Error((await response.text()) || response.statusText);
    return FlameData.fromGzip(new Uint8Array(await response.arrayBuffer()));
  }

  static async fromGzip(bytes) { return new FlameData(await gunzip(bytes)); }

  constructor(bytes) {
    const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    this.header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
    this.names = this.header.names;
    this.modules = this.header.modules;
    this.moduleOf = this.header.module_of;
    this.readNodes(new NumberReader(bytes, 4 + size));
    this.select(this.header.type, -1);
  }

  readNodes(reader) {
    const count = this.header.nodes;
    this.name = new Uint32Array(count + 1);
    this.depth = new Uint32Array(count + 1);
    this.parent = new Uint32Array(count + 1);
    this.end = new Uint32Array(count + 1);
    this.maxDepth = 0;
    for (let i = 1; i <= count; i++) this.name[i] = reader.next();
    let depth = 0;
    const open = [0];  // the node at each depth of the current path
    for (let i = 1; i <= count; i++) {
      const next = depth + 1 - reader.next();
      for (let d = depth; d >= next; d--) this.end[open[d]] = i;
      depth = next;
      this.depth[i] = depth;
      this.parent[i] = open[depth - 1];
      open[depth] = i;
      if (depth > this.maxDepth) this.maxDepth = depth;
    }
    for (let d = depth; d >= 0; d--) this.end[open[d]] = count + 1;
    this.readRows(reader);
  }

  readRows(reader) {
    const count = this.header.rows;
    this.rowNode = reader.fill(new Uint32Array(count));
    for (let i = 1; i < count; i++) this.rowNode[i] += this.rowNode[i - 1];
    this.rowThread = new Uint32Array(count);
    if (this.header.threads.length > 1) reader.fill(this.rowThread);
    this.values = this.header.types.map(() => reader.fill(new Float64Array(count)));
    if (!this.header.negative) return;
    for (const column of this.values) {
      for (let i = 0; i < count; i++) {
        const v = column[i];
        column[i] = v % 2 === 0 ? v / 2 : -(v + 1) / 2;
      }
    }
  }

  // Chooses a value column and a thread (-1: all) and sums anew.
  select(type, thread) {
    this.type = type;
    this.thread = thread;
    const count = this.header.nodes + 1;
    const self = new Float64Array(count);
    const base = this.header.negative ? new Float64Array(count) : null;
    const values = this.values[type] || [];
    for (let row = 0; row < this.rowNode.length; row++) {
      if (thread >= 0 && this.rowThread[row] !== thread) continue;
      const value = values[row];
      if (value < 0) base[this.rowNode[row]] -= value;
      else self[this.rowNode[row]] += value;
    }
    this.self = self;
    this.delta = base && this.takeDifference(self, base);
    this.sums = prefixSums(self);
    this.deltaSums = this.delta && prefixSums(this.delta);
  }

  // A difference: the width is the larger side, so that what vanished can still be seen.
  takeDifference(after, before) {
    const delta = new Float64Array(after.length);
    for (let i = 0; i < after.length; i++) {
      delta[i] = after[i] - before[i];
      if (before[i] > after[i]) after[i] = before[i];
    }
    return delta;
  }

  total(node) { return this.sums[this.end[node]] - this.sums[node]; }
  change(node) { return this.deltaSums ? this.deltaSums[this.end[node]] - this.deltaSums[node] : 0; }
  typeInfo() { return this.header.types[this.type] || { type: "samples", unit: "count" }; }
  threadTotals() {
    const totals = new Float64Array(this.header.threads.length);
    const values = this.values[this.type] || [];
    for (let row = 0; row < values.length; row++) {
      totals[this.rowThread[row]] += Math.abs(values[row]);
    }
    return totals;
  }

  // The share of `node` that lies under a name marked in `matched`; nested matches count once.
  matchedTotal(matched, node) {
    let sum = 0;
    for (let i = node === 0 ? 1 : node; i < this.end[node];) {
      if (matched[this.name[i]]) {
        sum += this.total(i);
        i = this.end[i];
      } else {
        i++;
      }
    }
    return sum;
  }
}

function prefixSums(column) {
  const sums = new Float64Array(column.length + 1);
  for (let i = 0; i < column.length; i++) sums[i + 1] = sums[i] + column[i];
  return sums;
}

// Children of a node as they are drawn: `nodes` in order and where each begins below its parent;
// starts has one more entry, the end of the last.
function layChildren(nodes, totals) {
  const starts = new Float64Array(nodes.length + 1);
  for (let i = 0; i < nodes.length; i++) starts[i + 1] = starts[i] + totals[i];
  return { nodes, starts };
}

function inOrder(order, nodes, totalOf, nameOf) {
  if (order === "weight") nodes.sort((a, b) => totalOf(b) - totalOf(a));
  else if (order === "name") {
    nodes.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0));
  }
  return nodes;
}

// What both trees offer: root 0, childrenOf, nameOf, totalOf, selfOf, changeOf, parentOf, depthOf.
class ForwardTree {
  constructor(data, order) {
    this.data = data;
    this.order = order;
    this.maxDepth = data.maxDepth;
    this.cache = new Map();
  }
  nameOf(node) { return this.data.name[node]; }
  totalOf(node) { return this.data.total(node); }
  selfOf(node) { return this.data.delta ? 0 : this.data.self[node]; }
  changeOf(node) { return this.data.change(node); }
  parentOf(node) { return this.data.parent[node]; }
  depthOf(node) { return this.data.depth[node]; }
  hasChildren(node) { return this.data.end[node] > node + 1; }
  matchedTotal(matched, node) { return this.data.matchedTotal(matched, node); }

  childrenOf(node) {
    let children = this.cache.get(node);
    if (children) return children;
    const data = this.data;
    const nodes = [];
    for (let child = node + 1; child < data.end[node]; child = data.end[child]) {
      if (data.total(child) > 0) nodes.push(child);
    }
    inOrder(this.order, nodes, (n) => data.total(n), (n) => data.names[data.name[n]]);
    children = layChildren(nodes, nodes.map((n) => data.total(n)));
    remember(this.cache, node, children);
    return children;
  }
}

// Layouts are cheap to make again; a long session must not hold millions of them.
function remember(cache, node, children) {
  if (cache.size > 200000) cache.clear();
  cache.set(node, children);
}

// The tree merged from the leaf. A node stands for places in the forward tree that show its name,
// each with the node whose own value it carries; its callers are one step up from each place.
class ReverseTree {
  constructor(data, order) {
    this.data = data;
    this.order = order;
    this.maxDepth = data.maxDepth;
    this.nodes = [{ name: 0, parent: 0, depth: 0, total: data.total(0), change: data.change(0) }];
    const origins = [];
    for (let i = 1; i < data.self.length; i++) {
      if (data.self[i] !== 0 || (data.delta && data.delta[i] !== 0)) origins.push(i);
    }
    this.nodes[0].origins = Uint32Array.from(origins);
    this.nodes[0].places = null;
  }
  nameOf(node) { return this.nodes[node].name; }
  totalOf(node) { return this.nodes[node].total; }
  selfOf(node) {
    const at = this.nodes[node];
    if (node === 0 || this.data.delta) return 0;
    return at.depth === 1 ? at.total : 0;
  }
  changeOf(node) { return this.nodes[node].change; }
  parentOf(node) { return this.nodes[node].parent; }
  depthOf(node) { return this.nodes[node].depth; }
  hasChildren(node) { return this.childrenOf(node).nodes.length > 0; }
  matchedTotal(matched) { return this.data.matchedTotal(matched, 0); }

  childrenOf(node) {
    const at = this.nodes[node];
    if (!at.children) at.children = this.expand(node, at);
    return at.children;
  }

  expand(node, at) {
    const groups = new Map();
    for (let i = 0; i < at.origins.length; i++) {
      const place = at.places ? this.data.parent[at.places[i]] : at.origins[i];
      if (place === 0) continue;
      const name = this.data.name[place];
      let group = groups.get(name);
      if (!group) groups.set(name, group = { name, total: 0, change: 0, places: [], origins: [] });
      group.total += this.data.self[at.origins[i]];
      if (this.data.delta) group.change += this.data.delta[at.origins[i]];
      group.places.push(place);
      group.origins.push(at.origins[i]);
    }
    const ids = [];
    for (const group of groups.values()) {
      if (group.total <= 0) continue;
      ids.push(this.nodes.length);
      this.nodes.push({
        name: group.name, parent: node, depth: at.depth + 1, total: group.total,
        change: group.change, places: Uint32Array.from(group.places),
        origins: Uint32Array.from(group.origins)
      });
    }
    inOrder(this.order, ids, (n) => this.nodes[n].total,
            (n) => this.data.names[this.nodes[n].name]);
    return layChildren(ids, ids.map((n) => this.nodes[n].total));
  }
}

// --- values as people read them; the rules of google/pprof

const UNIT_FAMILIES = [
  { units: [["B", 1], ["kB", 1024], ["MB", 1024 ** 2], ["GB", 1024 ** 3], ["TB", 1024 ** 4]],
    names: { b: 1, byte: 1, kb: 1024, kilobyte: 1024, mb: 1024 ** 2, megabyte: 1024 ** 2,
             gb: 1024 ** 3, gigabyte: 1024 ** 3 } },
  { units: [["ns", 1], ["us", 1e3], ["ms", 1e6], ["s", 1e9], ["hrs", 3600e9]],
    names: { ns: 1, nanosecond: 1, us: 1e3, microsecond: 1e3, ms: 1e6, millisecond: 1e6, s: 1e9,
             sec: 1e9, second: 1e9, hour: 3600e9, hr: 3600e9 } }
];

function formatValue(value, info) {
  let unit = info.unit.toLowerCase();
  if (unit.length > 2 && unit.endsWith("s")) unit = unit.slice(0, -1);
  for (const family of UNIT_FAMILIES) {
    if (!(unit in family.names)) continue;
    const base = Math.abs(value * family.names[unit]);
    let best = family.units[0];
    for (const candidate of family.units) if (base >= candidate[1]) best = candidate;
    const text = (base / best[1]).toFixed(2).replace(/\.00$/, "");
    return (value < 0 ? "-" : "") + text + (text === "0" ? "" : best[0]);
  }
  const what = info.unit === "count" ? info.type : info.unit;
  return Math.round(value).toLocaleString("en-US") + " " + what;
}

function formatShare(part, whole) {
  return whole > 0 ? (100 * part / whole).toFixed(2) + "%" : "0%";
}
