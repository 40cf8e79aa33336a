// What is shown of pictures, and how a user changes it. The address's fragment holds all of it. Another script has
// `about`, what the page shows, and readPicture().

const stage = byId('stage'), canvas = byId('canvas'), wipe = byId('wipe');
const modes = {
  single: ['s', 'picture A alone'], wipe: ['w', 'A to the left of the border, B to the right'],
  side: ['b', 'all pictures side by side, in step'], flicker: ['f', 'A and B in turn, twice a second'],
  difference: ['d', 'difference of A and B on screen, times the gain'],
  error: ['e', 'relative squared error of A, with B as its reference'],
};
const state = {mode: 'wipe', a: 0, b: about.pictures.length - 1, stops: 0, gain: 3, frame: 0, border: 0.5,
  x: 0, y: 0, scale: 0};  // centre of the view in the picture, and screen pixels a pixel; 0: all of it
const size = {width: about.width, height: about.height};

// The last pictures that were decoded, and canvases that were painted, by what they show.
class Recent {
  constructor(most) { this.most = most; this.kept = new Map(); }
  get(key, make) {
    const value = this.kept.has(key) ? this.kept.get(key) : make();
    this.kept.delete(key);
    this.kept.set(key, value);
    for (const old of this.kept.keys()) if (this.kept.size > this.most) this.kept.delete(old);
    return value;
  }
}
const decoded = new Recent(Math.max(8, about.pictures.length)), painted = new Recent(Math.max(8, about.pictures.length));
const known = new Map();  // of `decoded`, those that have arrived

const keyOf = p => `${p}-${state.frame}-${about.pictures[p].version ?? ''}`;
function request(p) {
  const key = keyOf(p);
  return decoded.get(key, () => readPicture(p, state.frame).then(picture => {
    for (const old of known.keys()) if (!decoded.kept.has(old)) known.delete(old);
    known.set(key, picture);
    draw();
  }, error => { byId('busy').textContent = `${about.pictures[p].name}: ${error.message}`; }));
}
function pictureOf(p) {
  request(p);
  return known.get(keyOf(p));
}
function paint(kind, make, ...which) {
  const pictures = which.map(pictureOf);
  if (pictures.includes(undefined)) return null;
  const key = [kind, state.stops, kind === 'difference' ? state.gain : '', ...which.map(keyOf)].join();
  return painted.get(key, () => canvasOf(make(...pictures), pictures[0]));
}
const paintPicture = p => paint('picture', picture => state.stops === 0 && picture.bitmap || screenPixels(picture, state.stops), p);

// Parts of the stage, left to right, each with what it shows; null where that isn't decoded yet.
function parts(flickers) {
  const {mode, a, b, border} = state;
  if (!about.pictures.length) return [];
  if (mode === 'side') {
    const count = about.pictures.length;
    return about.pictures.map((_, p) => ({from: p / count, to: (p + 1) / count, image: paintPicture(p), name: p}));
  }
  if (mode === 'wipe') {
    return [{from: 0, to: border, image: paintPicture(a), name: a, whole: true},
      {from: border, to: 1, image: paintPicture(b), name: b, whole: true}];
  }
  const image = mode === 'difference' ? paint('difference', (x, y) => differencePixels(x, y, state.stops, 2 ** state.gain), a, b)
    : mode === 'error' ? paint('error', errorPixels, a, b) : paintPicture(mode === 'flicker' && flickers ? b : a);
  return [{from: 0, to: 1, image, name: mode === 'flicker' && flickers ? b : a}];
}

// Where a picture lies in a part, whose width is that of the stage if the border only uncovers it.
function viewOf(part) {
  const ratio = devicePixelRatio, high = canvas.height, wide = canvas.width;
  const left = part.whole ? 0 : part.from * wide, right = part.whole ? wide : part.to * wide;
  const scale = state.scale * ratio || Math.min((right - left) / size.width, high / size.height);
  const x = state.scale ? state.x : size.width / 2, y = state.scale ? state.y : size.height / 2;
  return {scale, left: (left + right) / 2 - scale * x, top: high / 2 - scale * y};
}

// Screen pixels a pixel of the picture.
const shownScale = () => viewOf({from: 0, to: 1}).scale;

let pointed = null;  // the pointer's last event
let flickers = false, isAsked = false;
function draw() {
  if (!isAsked) requestAnimationFrame(drawNow);
  isAsked = true;
}
function drawNow() {
  isAsked = false;
  const context = canvas.getContext('2d'), shown = parts(flickers);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  for (const part of shown) {
    if (!part.image) continue;
    const {scale, left, top} = viewOf(part);
    context.save();
    context.beginPath();
    context.rect(Math.round(part.from * canvas.width), 0, Math.round((part.to - part.from) * canvas.width), canvas.height);
    context.clip();
    context.imageSmoothingEnabled = scale < 1;
    context.imageSmoothingQuality = 'high';
    context.drawImage(part.image, left, top, scale * size.width, scale * size.height);
    context.restore();
    if (shown.length > 1) label(context, part);
  }
  if (pointed) showValues();
  byId('busy').hidden = shown.every(part => part.image);
  stage.dataset.ready = shown.every(part => part.image);
}
function label(context, part) {
  const ratio = devicePixelRatio, rightmost = part.whole && part.from > 0, pad = 6 * ratio;
  const room = canvas.width * (part.whole ? 0.5 : part.to - part.from) - 4 * pad;
  context.font = `${13 * ratio}px system-ui, sans-serif`;
  let text = about.pictures[part.name].name;
  while (text.length > 2 && context.measureText(text).width > room) text = `…${text.slice(2)}`;
  const wide = context.measureText(text).width;
  const x = rightmost ? part.to * canvas.width - wide - 3 * pad : part.from * canvas.width + pad;
  context.fillStyle = '#000a';
  context.fillRect(x, pad, wide + 2 * pad, 20 * ratio);
  context.fillStyle = '#fff';
  context.fillText(text, x + pad, pad + 15 * ratio);
}

// The point of the picture under a place of the window.
function pointAt(clientX, clientY) {
  const box = stage.getBoundingClientRect(), x = (clientX - box.left) / box.width, ratio = devicePixelRatio;
  const part = parts(flickers).find(each => x >= each.from && x <= each.to) ?? {from: 0, to: 1};
  const {scale, left, top} = viewOf(part);
  return {x: (x * canvas.width - left) / scale, y: ((clientY - box.top) * ratio - top) / scale, scale: scale / ratio};
}
function keepPoint(point, clientX, clientY, scale) {  // under that place of the window
  state.scale = Math.min(Math.max(scale, 1 / 64), 64);
  state.x = state.y = 0;
  const now = pointAt(clientX, clientY);
  state.x = point.x - now.x;
  state.y = point.y - now.y;
  show();
}
function zoom(by, clientX, clientY) {
  const box = stage.getBoundingClientRect();
  const x = clientX ?? box.left + box.width / 2, y = clientY ?? box.top + box.height / 2, point = pointAt(x, y);
  keepPoint(point, x, y, point.scale * by);
}
function move(dx, dy) {
  const box = stage.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2, point = pointAt(x, y);
  keepPoint({x: point.x - dx / point.scale, y: point.y - dy / point.scale}, x, y, point.scale);
}

// The fragment: what differs from the state at first; the crop, as --crop takes it, is what the stage shows.
const first = {...state};
function cropText() {
  const wide = canvas.width / devicePixelRatio / state.scale, high = canvas.height / devicePixelRatio / state.scale;
  const short = v => Number(v.toFixed(2));
  return [state.x - wide / 2 + about.left, state.y - high / 2 + about.top, wide, high].map(short).join();
}
function fragment() {
  const words = ['mode', 'a', 'b', 'stops', 'gain', 'frame', 'border'].filter(key => state[key] !== first[key])
    .map(key => `${key}=${state[key]}`);
  if (state.scale) words.push(`crop=${cropText()}`);
  return words.join('&');
}
function readFragment() {
  const words = new URLSearchParams(location.hash.slice(1)), next = {...first};
  if (words.get('mode') in modes) next.mode = words.get('mode');
  const bounds = {a: [0, about.pictures.length - 1], b: [0, about.pictures.length - 1], stops: [-8, 8], gain: [0, 7],
    frame: [0, Math.max(about.frames.length - 1, 0)], border: [0, 1]};
  for (const [key, [low, high]] of Object.entries(bounds)) {
    const value = parseFloat(words.get(key));
    if (value >= low && value <= high) next[key] = key === 'stops' || key === 'border' ? value : Math.round(value);
  }
  const [x, y, wide, high] = (words.get('crop') ?? '').split(',').map(Number);
  if (wide > 0 && high > 0 && Number.isFinite(x + y + wide + high)) {
    next.scale = Math.min(canvas.width / wide, canvas.height / high) / devicePixelRatio;
    next.x = x + wide / 2 - about.left;
    next.y = y + high / 2 - about.top;
  }
  Object.assign(state, next);
}

// All controls from the state, then the pictures.
let waiting = 0;
function show() {
  byId('first').value = state.a;
  byId('second').value = state.b;
  for (const button of byId('modes').children) button.ariaChecked = String(button.dataset.mode === state.mode);
  byId('exposure').value = state.stops;
  byId('stops').textContent = (state.stops > 0 ? '+' : '') + state.stops;
  byId('gain').value = state.gain;
  byId('times').textContent = `${2 ** state.gain}x`;
  byId('gains').hidden = state.mode !== 'difference';
  byId('frame').value = state.frame;
  byId('number').textContent = about.frames[state.frame] ?? '';
  wipe.hidden = state.mode !== 'wipe';
  wipe.style.left = `${100 * state.border}%`;
  wipe.ariaValueNow = String(Math.round(100 * state.border));
  byId('legend').hidden = state.mode !== 'error';
  showResults();
  draw();
  clearTimeout(waiting);
  // Browsers limit how often an address may change.
  waiting = setTimeout(() => history.replaceState(null, '', `#${fragment()}`), 200);
}
function set(changes) {
  Object.assign(state, changes);
  show();
}

const columns = {relMSE: 5, PSNR: 4, SSIM: 4, FLIP: 4, maxRelativeError: 4, notFinite: 8, temporalError: 4};
function showResults() {
  if (!about.results.length) return;
  const rows = about.results.map(result => {
    const frame = result.frames?.find(each => each.frame === about.frames[state.frame]);
    return frame ? [[result.name, frame], [`${result.name}, mean`, result.mean]] : [[result.name, result.mean ?? result]];
  }).flat();
  // The row of what filters were given has its share of the metrics.
  const given = rows.find(([, row]) => row.baseline);
  if (given) rows.unshift([about.pictures[0].name, given[1].baseline]);
  const used = Object.keys(columns).filter(key => rows.some(([, row]) => row[key] !== undefined));
  const cell = (tag, textContent) => make(tag, {textContent}), line = cells => make('tr', {}, ...cells);
  const text = (row, key) => row[key] == null ? (key === 'PSNR' && row.relMSE === 0 ? 'equal' : '-') : String(Number(row[key].toPrecision(columns[key])));
  byId('results').replaceChildren(line(['to ' + about.reference, ...used].map(word => cell('th', word))),
    ...rows.map(([name, row]) => line([cell('td', name), ...used.map(key => cell('td', text(row, key)))])));
}

function showValues() {
  const {x, y} = pointAt(pointed.clientX, pointed.clientY), px = Math.floor(x), py = Math.floor(y);
  const isInside = px >= 0 && py >= 0 && px < size.width && py < size.height;
  byId('values').textContent = !isInside ? '' : `${px + about.left}, ${py + about.top}` + about.pictures.map((each, p) => {
    const picture = pictureOf(p);
    const at = side => Math.floor((side === 'width' ? px : py) * (picture?.[side] ?? 0) / size[side]);
    return picture ? `    ${each.name}: ${valuesText(picture, at('width'), at('height'))}` : '';
  }).join('');
}

// Pointers on the stage: one moves, two zoom.
const pointers = new Map();
stage.addEventListener('pointerdown', event => {
  if (event.target === wipe) return;
  stage.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, event);
});
stage.addEventListener('pointermove', event => {
  pointed = event;
  showValues();
  const before = pointers.get(event.pointerId);
  if (!before) return;
  const other = [...pointers.values()].find(each => each.pointerId !== event.pointerId);
  if (other) {
    const gap = each => Math.hypot(each.clientX - other.clientX, each.clientY - other.clientY);
    const point = pointAt((before.clientX + other.clientX) / 2, (before.clientY + other.clientY) / 2);
    keepPoint(point, (event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2,
      point.scale * gap(event) / Math.max(gap(before), 1));
  } else {
    move(event.clientX - before.clientX, event.clientY - before.clientY);
  }
  pointers.set(event.pointerId, event);
});
for (const kind of ['pointerup', 'pointercancel']) stage.addEventListener(kind, event => pointers.delete(event.pointerId));
stage.addEventListener('wheel', event => {
  event.preventDefault();
  zoom(2 ** (-event.deltaY / 240), event.clientX, event.clientY);
}, {passive: false});
const showFull = (x, y) => {
  const box = stage.getBoundingClientRect(), point = pointAt(x ?? box.left + box.width / 2, y ?? box.top + box.height / 2);
  keepPoint(point, x ?? box.left + box.width / 2, y ?? box.top + box.height / 2, 1 / devicePixelRatio);
};
stage.addEventListener('dblclick', event => state.scale ? set({scale: 0}) : showFull(event.clientX, event.clientY));

wipe.addEventListener('pointerdown', event => wipe.setPointerCapture(event.pointerId));
wipe.addEventListener('pointermove', event => {
  const box = stage.getBoundingClientRect();
  if (event.buttons) set({border: Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1)});
});

const keys = {
  ' ': () => set({a: state.b, b: state.a}), '+': () => zoom(1.25), '=': () => zoom(1.25), '-': () => zoom(0.8),
  '0': () => set({scale: 0}), ArrowLeft: () => move(64, 0), ArrowRight: () => move(-64, 0), ArrowUp: () => move(0, 64),
  ArrowDown: () => move(0, -64), '[': () => expose(-0.25), ']': () => expose(0.25), '{': () => amplify(-1), '}': () => amplify(1),
  ',': () => step(-1), '.': () => step(1), '?': () => { byId('keys').hidden = !byId('keys').hidden; },
};
const within = (value, low, high) => Math.min(Math.max(value, low), high);
const expose = by => set({stops: within(state.stops + by, -8, 8)});
const amplify = by => set({gain: within(state.gain + by, 0, 7)});
const step = by => set({frame: within(state.frame + by, 0, Math.max(about.frames.length - 1, 0))});
for (const [mode, [key]] of Object.entries(modes)) keys[key] = () => set({mode});
addEventListener('keydown', event => {
  if (event.ctrlKey || event.altKey || event.metaKey || /^(SELECT|INPUT)$/.test(event.target.tagName)) return;
  const digit = /^Digit([1-9])$/.exec(event.code)?.[1] - 1;
  if (digit < about.pictures.length) {
    set(event.shiftKey ? {b: digit} : {a: digit});
  } else if (event.target === wipe && /^Arrow(Left|Right)$/.test(event.key)) {
    set({border: within(state.border + (event.key === 'ArrowLeft' ? -0.01 : 0.01), 0, 1)});
  } else if (event.target.tagName !== 'BUTTON' || event.key !== ' ') {
    if (!keys[event.key]) return;
    keys[event.key]();
  } else {
    return;
  }
  event.preventDefault();
});

for (const id of ['first', 'second']) {
  about.pictures.forEach(({name}, p) => byId(id).append(new Option(name, p)));
  byId(id).addEventListener('change', event => set({[id === 'first' ? 'a' : 'b']: Number(event.target.value)}));
}
for (const [mode, [key, title]] of Object.entries(modes)) {
  const button = make('button', {textContent: mode, title: `${title}: key ${key}`, onclick: () => set({mode})});
  button.dataset.mode = mode;
  button.role = 'radio';
  byId('modes').append(button);
}
for (const [id, key] of [['exposure', 'stops'], ['gain', 'gain'], ['frame', 'frame']]) {
  byId(id).addEventListener('input', event => set({[key]: Number(event.target.value)}));
}
byId('frames').hidden = about.frames.length === 0;
byId('frame').max = Math.max(about.frames.length - 1, 0);
byId('fit').onclick = () => set({scale: 0});
byId('full').onclick = () => showFull();
byId('help').onclick = keys['?'];
document.title = `${about.pictures.map(each => each.name).join(', ')} - Lacuna`;
byId('legend').append(`1e${errorDecades[0]}`, make('i', {
  style: `background: linear-gradient(90deg, ${errorColours.map(colour => `rgb(${colour})`)})`}), `1e${errorDecades[1]}`);
setInterval(() => {
  if (state.mode !== 'flicker') return;
  flickers = !flickers;
  draw();
}, 500);
new ResizeObserver(() => {
  canvas.width = Math.round(stage.clientWidth * devicePixelRatio);
  canvas.height = Math.round(stage.clientHeight * devicePixelRatio);
  drawNow();
}).observe(stage);
canvas.width = Math.round(stage.clientWidth * devicePixelRatio);
canvas.height = Math.round(stage.clientHeight * devicePixelRatio);
addEventListener('hashchange', () => { readFragment(); show(); });
readFragment();
show();
stage.focus();
