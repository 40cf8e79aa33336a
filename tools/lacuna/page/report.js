// Draws the page's data: the graph, its passes, its memory, its values.

const about = JSON.parse(byId('about').textContent);
const draw = (tag, attributes, text) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
};
const short = (value, digits = 4) => String(Number(Number(value).toPrecision(digits)));
const bytes = count => count >= 1e6 ? `${short(count / 1e6)} MB` : count >= 1e3 ? `${short(count / 1e3)} kB` : `${count} B`;

// The nodes of a module: those that run, and those that run inside of another one.
const moduleOf = name => about.modules.findLast(({name: module}) => name.startsWith(`${module}:`))?.name;
function nodesOf(module) {
  const lines = [];
  for (const node of about.nodes) {
    const own = moduleOf(node.name) === module, levels = node.levels > 1 ? `, ${node.levels} levels` : '', name = node.name.split('+')[0];
    if (own) lines.push(`${name.slice(module.length + 1)} (${node.kind}${levels})`);
    for (const part of node.fused) {
      if (moduleOf(part) === module && part !== name) lines.push(`${part.slice(module.length + 1)}, fused into ${name}`);
    }
  }
  return lines;
}

// Columns by the longest way from a source; in a column by the mean place of what comes before.
function layOut(modules) {
  const column = new Map(), before = module => module.inputs.filter(input => !input.isFeedback).map(input => input.from);
  for (const module of modules) column.set(module.name, Math.max(0, ...before(module).map(from => (column.get(from) ?? -1) + 1)));
  const columns = [];
  for (const module of modules) (columns[column.get(module.name)] ??= []).push(module);
  const place = new Map();
  for (const each of columns) {
    const mean = module => before(module).reduce((sum, from) => sum + (place.get(from) ?? 0), 0) / Math.max(before(module).length, 1);
    each.sort((a, b) => mean(a) - mean(b)).forEach((module, row) => place.set(module.name, row));
  }
  return columns;
}

function drawGraph() {
  const lineHigh = 15, gapX = 110, gapY = 24, boxes = new Map();
  let x = 20, high = 0, lanes = 0;
  for (const column of layOut(about.modules)) {
    const wide = Math.max(...column.map(module => 16 + 7 * Math.max(module.name.length, ...nodesOf(module.name).map(line => line.length * 0.86))));
    let y = 20;
    for (const module of column) {
      const box = {x, y, wide, high: 26 + lineHigh * nodesOf(module.name).length};
      boxes.set(module.name, box);
      y += box.high + gapY;
    }
    high = Math.max(high, y);
    x += wide + gapX;
  }
  const svg = draw('svg', {width: x - gapX + 20});
  for (const module of about.modules) {
    module.inputs.forEach((input, i) => {
      const from = boxes.get(input.from), to = boxes.get(module.name);
      const x1 = from.x + from.wide, y1 = from.y + 13, x2 = to.x, y2 = to.y + to.high * (i + 1) / (module.inputs.length + 1), bend = gapX / 2;
      // A connection that passes other columns runs below them.
      const passes = x2 - x1 > gapX + 1, below = high - gapY / 2 + 6 * lanes, middle = (x1 + x2) / 2;
      lanes += passes ? 1 : 0;
      const way = passes ? `C${x1 + bend} ${y1} ${x1} ${below} ${x1 + gapX} ${below} L${x2 - gapX} ${below} C${x2} ${below} ${x2 - bend} ${y2} ${x2} ${y2}`
        : `C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
      svg.append(draw('path', {d: `M${x1} ${y1} ${way}`, class: input.isFeedback ? 'feedback' : ''}));
      const label = input.connector === input.output ? input.output : `${input.output} > ${input.connector}`;
      if (label !== 'output > input') svg.append(draw('text', {x: x2 - 4, y: y2 - 3, class: 'label'}, label));
    });
  }
  for (const module of about.modules) {
    const box = boxes.get(module.name), isFile = !module.inputs.length || !(module.about.connectors ?? []).some(each => each.direction === 'output');
    const rect = draw('rect', {x: box.x, y: box.y, width: box.wide, height: box.high, rx: 6, class: `box${isFile ? ' file' : ''}`, 'data-module': module.name});
    rect.append(draw('title', {}, module.about.summary));
    rect.addEventListener('click', () => showModule(module, rect));
    svg.append(rect, draw('text', {x: box.x + 8, y: box.y + 17, class: 'name'}, module.name));
    nodesOf(module.name).forEach((line, i) => svg.append(draw('text', {x: box.x + 8, y: box.y + 33 + lineHigh * i, class: 'node'}, line)));
  }
  svg.setAttribute('height', high + 6 * lanes);
  byId('graph').append(svg);
}

function showModule(module, rect) {
  document.querySelectorAll('.chosen').forEach(each => each.classList.remove('chosen'));
  rect.classList.add('chosen');
  const described = new Map((module.about.parameters ?? []).map(each => [each.name, each]));
  const rows = module.parameters.map(({name, value, isSet, isAnimated}) => make('tr', {},
    make('td', {textContent: name}), make('td', {textContent: isAnimated ? 'animated' : value, className: isSet ? 'set' : ''}),
    make('td', {textContent: [described.get(name)?.unit, described.get(name)?.doc].filter(Boolean).join('; ')})));
  const connectors = (module.about.connectors ?? []).map(each => make('tr', {},
    make('td', {textContent: each.name}), make('td', {textContent: each.direction}), make('td', {textContent: each.doc ?? ''})));
  byId('module').replaceChildren(make('b', {textContent: module.name}), `: ${module.about.summary}`,
    make('table', {}, ...connectors, ...rows));
  byId('module').hidden = false;
}

function showPasses() {
  const own = about.passes.filter(pass => !pass.isTransfer), most = Math.max(...own.map(pass => pass.ms), 1e-9);
  const sum = own.reduce((all, pass) => all + pass.ms, 0), floor = own.reduce((all, pass) => all + pass.floorMs, 0);
  byId('floor').textContent = `${short(sum)} ms in all, ${short(floor)} ms the floor (green): the bytes of a pass at ${short(about.bandwidth / 1e9)} GB/s, `
    + `which a copy within the device's memory reaches. ${about.frames === 1 ? 'One frame' : `Medians of ${about.frames} frames`}; transfers don't count.`;
  const head = make('tr', {}, ...['pass', 'ms', 'floor ms', 'x floor', 'share', 'read', 'written', ''].map(word => make('th', {textContent: word})));
  byId('passes').append(head, ...about.passes.map(pass => {
    const cells = [pass.name, short(pass.ms), pass.floorMs ? short(pass.floorMs) : '', pass.timesFloor ? short(pass.timesFloor, 2) : '',
      pass.isTransfer ? 'transfer' : `${short(100 * pass.share, 3)}%`, bytes(pass.bytesRead), bytes(pass.bytesWritten)];
    const bar = make('div', {className: 'bar'});
    if (!pass.isTransfer) {
      bar.append(make('i', {style: `width: ${100 * pass.ms / most}%`}), make('i', {className: 'floor', style: `width: ${100 * Math.min(pass.floorMs, pass.ms) / most}%`}));
    }
    return make('tr', {}, ...cells.map(textContent => make('td', {textContent})), make('td', {}, bar));
  }));
}

function drawMemory() {
  const arenas = [...new Set(about.memory.map(each => each.arena))], count = about.passes.length, wide = Math.max(900, 12 * count), high = 260;
  const end = arena => Math.max(...about.memory.filter(each => each.arena === arena).map(each => each.offset + each.bytes));
  const all = arenas.reduce((sum, arena) => sum + end(arena), 0) || 1, svg = draw('svg', {width: wide, height: high});
  let below = 0;
  for (const arena of arenas) {
    for (const [i, each] of about.memory.entries()) {
      if (each.arena !== arena) continue;
      const last = Math.min(each.last, count - 1);
      const rect = draw('rect', {x: wide * each.first / count, y: high * (below + each.offset) / all, width: wide * (last - each.first + 1) / count,
        height: Math.max(high * each.bytes / all, 0.5), fill: `hsl(${i * 47 % 360} 45% ${each.isKept ? 30 : 45}%)`});
      rect.append(draw('title', {}, `${each.name}: ${bytes(each.bytes)}, ${each.isKept ? 'kept from frame to frame' : `from ${about.passes[each.first].name} to ${about.passes[last].name}`}`));
      svg.append(rect);
      const room = rect.getAttribute('width') / 6.2;  // letters
      if (rect.getAttribute('height') > 13) {
        svg.append(draw('text', {x: Number(rect.getAttribute('x')) + 4, y: Number(rect.getAttribute('y')) + 11, class: 'held'},
          each.name.length < room ? each.name : `…${each.name.slice(1 - Math.floor(room))}`));
      }
    }
    below += end(arena);
  }
  byId('memory').append(svg);
  byId('memory').before(make('p', {textContent: `${bytes(all)} on the device${about.tiles > 1 ? `, for each of ${about.tiles} tiles` : ''}.`}));
}

function showValues() {
  byId('without').textContent = about.withoutValues || `Of frame ${about.firstFrame}; outputs of modules, before anything is fused.`;
  byId('values').append(...about.values.map(value => {
    const ranges = value.least.map((least, c) => `${c === 3 && value.type.startsWith('rgba') ? 'alpha ' : ''}${short(least)} to ${short(value.most[c])}, mean ${short(value.mean[c])}`).join('; ');
    const bad = [value.nan && `${value.nan} NaN`, value.infinite && `${value.infinite} infinite`].filter(Boolean).join(', ');
    return make('figure', {id: `value-${value.name}`}, value.picture ? make('img', {src: value.picture, alt: value.name}) : '', make('figcaption', {},
      make('b', {textContent: value.name}), ` ${value.type}`, make('br'), ranges, make('br'), make('span', {className: bad ? 'bad' : '', textContent: bad || 'all finite'})));
  }));
}

document.title = `${about.graph} - Lacuna`;
byId('title').textContent = about.graph;
byId('facts').textContent = `${about.device}, ${about.driver}; Lacuna ${about.version}`;
byId('messages').append(...about.messages.map(textContent => make('li', {textContent})));
byId('choices').append(...about.choices.map(each => make('tr', {}, ...[each.node, each.schedule, each.reason].map(textContent => make('td', {textContent})))));
drawGraph();
showPasses();
drawMemory();
showValues();
document.body.dataset.ready = true;
