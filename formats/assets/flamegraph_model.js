"use strict";
// The data of a flame graph and the trees over it. Nothing here knows the page.
//
// FlameData holds the call tree in preorder (node 0 is the root, a subtree is [i, end[i])) and rows of
// (node, thread, values). Weights are a prefix sum over the nodes, so the total of any subtree is one
// subtraction. ForwardTree and ReverseTree give children lazily: only what is looked at is laid out.


// Reads columns of LEB128 numbers. Values beyond 2^53 lose their last digits, as any JavaScript number
// does.
class NumberReader {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }
  fill(column, from = 0) {
    const bytes = this.bytes;
    let at = this.at;
    for (let i = from; i < column.length; i++) {
      let value = bytes[at++];
      if (value >= 128) {
        value &= 127;
        let scale = 128;
        let byte;
        do {
          byte = bytes[at++];
          value += (byte & 127) * scale;
          scale *= 128;
        } while (byte >= 128);
      }
      column[i] = value;
    }
    this.at = at;
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
    this.name = reader.fill(new Uint32Array(count + 1), 1);
    const up = reader.fill(new Uint32Array(count + 1), 1);
    const depths = this.depth = up;  // in place: a level is read before it is written
    const parent = this.parent = new Uint32Array(count + 1);
    const end = this.end = new Uint32Array(count + 1);
    let open = new Uint32Array(1024);  // the node at each depth of the current path
    let depth = 0;
    let deepest = 0;
    for (let i = 1; i <= count; i++) {
      const next = depth + 1 - up[i];
      for (let d = depth; d >= next; d--) end[open[d]] = i;
      if (next >= open.length) open = grown(open);
      depths[i] = depth = next;
      parent[i] = open[next - 1];
      open[next] = i;
      if (next > deepest) deepest = next;
    }
    for (let d = depth; d >= 0; d--) end[open[d]] = count + 1;
    this.maxDepth = deepest;
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

function grown(column) {
  const larger = new Uint32Array(column.length * 2);
  larger.set(column);
  return larger;
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
    const origins = new Uint32Array(data.self.length);
    let count = 0;
    for (let i = 1; i < data.self.length; i++) {
      if (data.self[i] !== 0 || (data.delta && data.delta[i] !== 0)) origins[count++] = i;
    }
    this.nodes[0].origins = origins.subarray(0, count);
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

  // Two passes: how many places each name has, then the places, name by name in one column.
  expand(node, at) {
    const { data } = this;
    const size = at.origins.length;
    const places = new Uint32Array(size);
    const groups = new Map();
    for (let i = 0; i < size; i++) {
      const place = at.places ? data.parent[at.places[i]] : at.origins[i];
      places[i] = place;
      if (place === 0) continue;
      const name = data.name[place];
      let group = groups.get(name);
      if (!group) groups.set(name, group = { name, total: 0, change: 0, count: 0, at: 0 });
      group.count++;
      group.total += data.self[at.origins[i]];
      if (data.delta) group.change += data.delta[at.origins[i]];
    }
    const sortedPlaces = new Uint32Array(size);
    const sortedOrigins = new Uint32Array(size);
    let next = 0;
    for (const group of groups.values()) {
      group.at = next;
      next += group.count;
    }
    for (let i = 0; i < size; i++) {
      if (places[i] === 0) continue;
      const group = groups.get(data.name[places[i]]);
      sortedPlaces[group.at] = places[i];
      sortedOrigins[group.at++] = at.origins[i];
    }
    return this.addGroups(node, at, groups, sortedPlaces, sortedOrigins);
  }

  addGroups(node, at, groups, places, origins) {
    const ids = [];
    for (const { name, total, change, count, at: end } of groups.values()) {
      if (total <= 0) continue;
      ids.push(this.nodes.length);
      this.nodes.push({
        name, parent: node, depth: at.depth + 1, total, change,
        places: places.subarray(end - count, end), origins: origins.subarray(end - count, end)
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
