"use strict";
// The page of hprof serve: keeps asking the server for the time line and, while not paused, for the
// flame graph of the chosen window. The flame graph itself is FlameView's.

const STEP_MS = 2000;      // the server's slices are that long
const TABLE_ROWS = 500;

// Self and total by function name: a function counts once in a stack, however often it recurs.
function topTable(data) {
  const self = new Float64Array(data.names.length);
  const total = new Float64Array(data.names.length);
  const open = new Uint32Array(data.names.length);
  const path = [];
  const sums = data.delta ? data.deltaSums : data.sums;
  const own = data.delta || data.self;
  for (let node = 1; node < data.name.length; node++) {
    while (path.length && data.end[path[path.length - 1]] <= node) open[data.name[path.pop()]]--;
    const name = data.name[node];
    self[name] += own[node];
    if (open[name]++ === 0) total[name] += sums[data.end[node]] - sums[node];
    path.push(node);
  }
  const rows = [];
  for (let name = 0; name < self.length; name++) {
    if (self[name] !== 0 || total[name] !== 0) {
      rows.push({name: data.names[name], module: data.modules[data.moduleOf[name]] || "",
                 self: self[name], total: total[name]});
    }
  }
  return rows;
}

class LivePage {
  constructor(body) {
    this.body = body;
    this.view = new FlameView(body.querySelector(".flame"), null);
    body.querySelector('[data-part="wait"]').textContent = "Waiting for the first samples…";
    this.paused = false;
    this.base = null;     // the earlier window when comparing
    this.chosen = null;   // {from, to} in ns, dragged on the time line
    this.sort = {key: "self", down: true};
    this.busy = false;
    this.connect();
    this.turn();
    setInterval(() => this.turn(), STEP_MS);
  }

  part(name) { return this.body.querySelector(`[data-live="${name}"]`); }

  say(text) { this.part("state").textContent = text; }
  hint(text) {
    this.part("hint").textContent = text;
    this.part("hint").hidden = !text;
  }

  // --- asking the server

  async turn() {
    if (this.busy) return;
    this.busy = true;
    try {
      await this.readTargets();
      this.drawLine();
      if (!this.paused) await this.readFlame();
    } catch (error) {
      this.say("no answer: " + error.message);
    }
    this.busy = false;
  }

  async readTargets() {
    const response = await fetch("api/targets");
    if (!response.ok) throw new Error(response.statusText);
    this.state = await response.json();
    const select = this.part("target");
    const chosen = select.value;
    const same = this.state.targets.map((t) => t.pid).join() === [...select.options].map((o) => o.value).join();
    if (!same) {
      select.replaceChildren(...this.state.targets.map((t) => new Option(`${t.name} (${t.pid})`, t.pid)));
      if (this.state.targets.some((t) => String(t.pid) === chosen)) select.value = chosen;
    }
    select.hidden = this.state.targets.length < 2;
    if (!this.part("download").dataset.filled) this.fillChoices();
    const target = this.target();
    document.title = target ? `${target.name} (${target.pid}) – hprof` : "hprof";
    if (!target) return this.say("no process");
    const last = target.slices[target.slices.length - 1];
    const cores = last ? last.value / Math.max(1, last.end_ns - last.start_ns) : 0;
    this.say(`${target.name}: ${target.alive ? cores.toFixed(2) + " cores" : "has ended"}` +
             (this.paused ? ", paused" : ""));
  }

  fillChoices() {
    this.part("download").dataset.filled = "yes";
    for (const format of this.state.formats) this.part("download").add(new Option(format, format));
    this.part("kind").replaceChildren(...this.state.kinds.map((kind) => new Option(kind, kind)));
    this.part("kind").hidden = this.state.kinds.length < 2;
  }

  target() {
    return this.state && (this.state.targets.find((t) => String(t.pid) === this.part("target").value) || this.state.targets[0]);
  }

  window() {
    if (this.chosen) return this.chosen;
    const slices = this.target().slices;
    const to = slices.length ? slices[slices.length - 1].end_ns : 0;
    const seconds = Number(this.part("span").value);
    return {from: seconds ? to - seconds * 1e9 : 0, to};
  }

  query() {
    const {from, to} = this.window();
    const query = new URLSearchParams({pid: this.target().pid, kind: this.part("kind").value || "cpu", from: Math.round(from), to: Math.round(to)});
    if (this.base && this.base.done) {
      query.set("base_from", Math.round(this.base.from));
      query.set("base_to", Math.round(this.base.to));
    }
    return query;
  }

  async readFlame() {
    const target = this.target();
    if (!target || !target.slices.some((s) => s.samples > 0)) return;
    const response = await fetch("api/flame?" + this.query());
    if (!response.ok) return this.hint((await response.text()).trim());
    const data = await FlameData.fromGzip(new Uint8Array(await response.arrayBuffer()));
    this.body.querySelector('[data-part="wait"]').hidden = true;
    const layout = this.view.part("layout").value;
    const reverse = this.view.part("reverse").checked;
    if (this.view.data) {  // what the user set stays as it is
      data.header.inverted = layout === "icicle";
      data.header.reverse = reverse;
    }
    this.data = data;
    this.view.show(data);
    this.rows = topTable(data);
    this.fillTable();
    this.body.dataset.updates = String(Number(this.body.dataset.updates || 0) + 1);
  }

  // --- the table

  fillTable() {
    if (!this.rows || this.part("table").hidden) return;
    let rows = this.rows;
    const text = this.part("filter").value;
    if (text) {
      let pattern;
      try { pattern = new RegExp(text, "i"); } catch { pattern = null; }
      rows = rows.filter((row) => (pattern ? pattern.test(row.name) : row.name.includes(text)));
    }
    const {key, down} = this.sort;
    rows = [...rows].sort((a, b) => (down ? -1 : 1) * (typeof a[key] === "number" ? a[key] - b[key] : a[key].localeCompare(b[key])));
    const whole = Math.abs(this.data.sums[this.data.sums.length - 1]) || 1;
    const type = this.data.typeInfo();
    const number = (value) => {
      const cell = document.createElement("td");
      cell.className = "number";
      cell.textContent = `${formatValue(value, type)}  ${(100 * value / whole).toFixed(1)} %`;
      return cell;
    };
    const cells = (row) => {
      const line = document.createElement("tr");
      const name = document.createElement("td");
      name.className = "name";
      name.title = row.name;
      name.append(document.createElement("div"));
      name.firstChild.textContent = row.name;
      const module = document.createElement("td");
      module.textContent = row.module;
      line.append(number(row.self), number(row.total), name, module);
      return line;
    };
    const body = this.part("rows");
    body.replaceChildren(...rows.slice(0, TABLE_ROWS).map(cells));
    if (rows.length > TABLE_ROWS) {
      const more = document.createElement("tr");
      more.className = "more";
      more.innerHTML = `<td colspan="4">${rows.length - TABLE_ROWS} more: filter to see them</td>`;
      body.append(more);
    }
  }

  // --- the time line

  drawLine() {
    const canvas = this.part("line");
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.width = Math.round(canvas.clientWidth * ratio);
    const height = canvas.height = Math.round(canvas.clientHeight * ratio);
    const context = canvas.getContext("2d");
    const style = getComputedStyle(this.body);
    context.clearRect(0, 0, width, height);
    const target = this.target();
    if (!target || !target.slices.length) return;
    const slices = target.slices;
    this.lineFrom = Math.min(slices[0].start_ns, slices[slices.length - 1].end_ns - 60e9);
    this.lineTo = slices[slices.length - 1].end_ns;
    const x = (ns) => (ns - this.lineFrom) / (this.lineTo - this.lineFrom) * width;
    const cores = slices.map((s) => s.value / Math.max(1, s.end_ns - s.start_ns));
    const most = Math.max(0.1, ...cores);
    const mark = (from, to, color) => {
      context.fillStyle = color;
      context.globalAlpha = 0.18;
      context.fillRect(x(Math.max(from, this.lineFrom)), 0, x(to) - x(Math.max(from, this.lineFrom)), height);
      context.globalAlpha = 1;
    };
    const {from, to} = this.window();
    mark(from, to, style.getPropertyValue("--accent"));
    if (this.base) mark(this.base.from, this.base.to, style.getPropertyValue("--match"));
    context.fillStyle = style.getPropertyValue("--dim");
    slices.forEach((slice, i) => {
      const bar = cores[i] / most * (height - 14 * ratio);
      context.fillRect(x(slice.start_ns), height - bar, Math.max(1, x(slice.end_ns) - x(slice.start_ns) - ratio), bar);
    });
    context.fillStyle = style.getPropertyValue("--quiet");
    context.font = `${11 * ratio}px system-ui, sans-serif`;
    context.fillText(`${most.toFixed(2)} cores at most`, 4 * ratio, 11 * ratio);
    const age = `${Math.round((this.lineTo - this.lineFrom) / 1e9)} s`;
    context.fillText(age, width - context.measureText(age).width - 4 * ratio, 11 * ratio);
  }

  timeAt(event) {
    const box = this.part("line").getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    return this.lineFrom + share * (this.lineTo - this.lineFrom);
  }

  choose(from, to) {
    this.chosen = {from: Math.min(from, to), to: Math.max(from, to)};
    const option = this.part("span").querySelector('[value="chosen"]');
    option.hidden = false;
    this.part("span").value = "chosen";
    this.changed();
  }

  changed() {
    this.drawLine();
    this.readFlame().catch((error) => this.say("no answer: " + error.message));
  }

  // --- what the user does

  compare() {
    if (this.base) {
      this.base = null;
      this.hint("");
    } else {
      const {from, to} = this.window();
      this.base = {from, to, done: true};
      this.hint("Compared with the window marked before: choose another window, now or in the past. Red grew, blue shrank.");
    }
    this.part("compare").setAttribute("aria-pressed", String(Boolean(this.base)));
    this.changed();
  }

  pause() {
    this.paused = !this.paused;
    this.part("pause").setAttribute("aria-pressed", String(this.paused));
    this.part("pause").textContent = this.paused ? "go on" : "pause";
    if (!this.paused) this.turn();
  }

  show(view) {
    this.part("view").value = view;
    this.part("table").hidden = view !== "top";
    this.body.querySelector(".flame").hidden = view !== "flame";
    this.fillTable();
    window.dispatchEvent(new Event("resize"));
  }

  connect() {
    this.part("pause").addEventListener("click", () => this.pause());
    this.part("compare").addEventListener("click", () => this.compare());
    this.part("view").addEventListener("change", (e) => this.show(e.target.value));
    this.part("target").addEventListener("change", () => this.changed());
    this.part("kind").addEventListener("change", () => this.changed());
    this.part("span").addEventListener("change", (e) => {
      if (e.target.value !== "chosen") this.chosen = null;
      this.changed();
    });
    this.part("download").addEventListener("change", (e) => {
      if (e.target.value) window.location = "api/download?" + this.query() + "&format=" + encodeURIComponent(e.target.value);
      e.target.value = "";
    });
    this.part("filter").addEventListener("input", () => this.fillTable());
    for (const head of this.body.querySelectorAll("th[data-sort]")) {
      head.addEventListener("click", () => this.sortBy(head.dataset.sort));
    }
    this.connectLine();
    document.addEventListener("keydown", (e) => this.key(e));
    window.addEventListener("resize", () => this.drawLine());
  }

  sortBy(key) {
    this.sort = {key, down: this.sort.key === key ? !this.sort.down : key === "self" || key === "total"};
    for (const head of this.body.querySelectorAll("th[data-sort]")) {
      if (head.dataset.sort === key) head.setAttribute("aria-sort", this.sort.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
    this.fillTable();
  }

  connectLine() {
    const line = this.part("line");
    let from = null;
    line.addEventListener("pointerdown", (e) => {
      from = this.timeAt(e);
      line.setPointerCapture(e.pointerId);
    });
    line.addEventListener("pointerup", (e) => {
      if (from === null) return;
      const to = this.timeAt(e);
      const one = 2 * STEP_MS * 1e6;  // a click takes the slice under it
      if (Math.abs(to - from) < one / 2) this.choose(from - one / 2, from + one / 2);
      else this.choose(from, to);
      from = null;
    });
    line.addEventListener("keydown", (e) => {
      const step = {ArrowLeft: -1, ArrowRight: 1}[e.key];
      if (!step) return;
      const {from: start, to: end} = this.window();
      this.choose(start + step * STEP_MS * 1e6, end + step * STEP_MS * 1e6);
      e.preventDefault();
      e.stopPropagation();
    });
  }

  key(event) {
    if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " ") this.pause();
    else if (event.key === "c") this.compare();
    else if (event.key === "t") this.show(this.part("view").value === "flame" ? "top" : "flame");
    else return;
    event.preventDefault();
  }
}
