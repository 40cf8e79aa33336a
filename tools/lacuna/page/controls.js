// Sliders and choices for all parameters, made from modules' descriptions; what the server computes is shown at once.

const send = async (path, words) => {
  const answer = await fetch(ask(path), {method: 'POST', body: JSON.stringify(words)});
  byId('state').textContent = answer.ok ? '' : await answer.text();
  return answer.ok;
};
const valuesOf = parameter => parameter.value.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? [];
const plain = word => word.startsWith('"') ? JSON.parse(word) : word;
const quoted = word => /^[\w.+-]+$/.test(word) ? word : JSON.stringify(word);

// A number between two bounds: evenly, or by ratios where the bounds are far apart and above 0.
function slider({type, range}, value, changed) {
  const [low, high] = range, isLog = low > 0 && high / low > 100, number = make('input', {type: 'number', value, step: type === 'int' ? 1 : 'any'});
  const position = v => isLog ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low);
  const bar = make('input', {type: 'range', min: 0, max: 1, step: type === 'int' ? 1 / (high - low) : 0.001, value: position(Number(value))});
  bar.addEventListener('input', () => {
    const share = Number(bar.value), v = isLog ? low * (high / low) ** share : low + share * (high - low);
    number.value = type === 'int' ? Math.round(v) : Number(v.toPrecision(3));
    changed(number.value);
  });
  number.addEventListener('change', () => {
    bar.value = position(Number(number.value));
    changed(number.value);
  });
  return make('span', {className: 'pair'}, bar, number);
}

function control(described, value, changed) {
  if (described.type === 'bool') {
    return make('input', {type: 'checkbox', checked: value === 'true', onchange: event => changed(String(event.target.checked))});
  }
  if (described.choices.length) {
    const choice = make('select', {onchange: event => changed(event.target.value)}, ...described.choices.map(word => new Option(word, word)));
    choice.value = plain(value);
    return choice;
  }
  if (described.range) return slider(described, value, changed);
  return make('input', {type: 'text', value: plain(value), onchange: event => changed(quoted(event.target.value))});
}

// One request at a time, so that a slider that is drawn doesn't queue them.
const wishes = new Map();
let isSending = false;
async function wish(parameter, value) {
  wishes.set(parameter, value);
  if (isSending) return;
  isSending = true;
  while (wishes.size) {
    const [next] = wishes;
    wishes.delete(next[0]);
    await send('set', {parameter: next[0], value: next[1]});
  }
  isSending = false;
}

function row(module, parameter, described) {
  const values = valuesOf(parameter), name = `${module.name}:${parameter.name}`;
  const controls = values.map((value, i) => control(described, value, changed => {
    values[i] = changed;
    wish(name, values.join(':'));
  }));
  const label = make('label', {textContent: parameter.name, title: [described.unit, described.doc].filter(Boolean).join('; ')});
  return make('div', {className: `parameter${parameter.isSet ? ' set' : ''}`, id: name}, label, make('div', {}, ...controls));
}

const structureOf = state => JSON.stringify([state.width, state.height, state.pictures.map(each => each.name), state.modules.map(each => each.name)]);
function showControls() {
  // Filters first: files' many parameters are seldom looked for.
  const isFilter = module => module.inputs.length && (module.about.connectors ?? []).some(each => each.direction === 'output');
  const sorted = [...about.modules.filter(isFilter), ...about.modules.filter(module => !isFilter(module))];
  byId('controls').replaceChildren(...sorted.filter(module => module.parameters.length).map(module => {
    const described = new Map(module.about.parameters.map(each => [each.name, each]));
    return make('details', {open: opened.get(module.name) ?? isFilter(module), id: `controls-${module.name}`,
      ontoggle: event => opened.set(module.name, event.target.open)},
    make('summary', {textContent: module.name, title: module.about.summary}),
    ...module.parameters.map(parameter => row(module, parameter, described.get(parameter.name))));
  }));
}
const opened = new Map();

function showState() {
  if (document.activeElement !== byId('shownFrame')) byId('shownFrame').value = about.frame;
  byId('messages').textContent = about.messages;
  byId('messages').hidden = !about.messages;
  const coarse = about.preview.length ? `: a preview (${about.preview.join(', ')}); the graph's own values follow` : '';
  byId('time').textContent = about.isRight ? `computed in ${about.seconds.toFixed(2)} s: ${about.ran} of ${about.modules.length} modules${coarse}` : 'not run; what is shown is older';
  document.body.dataset.version = about.version;
}

const events = new EventSource(ask('events'));
events.onmessage = event => {
  const next = JSON.parse(event.data);
  if (structureOf(next) !== structureOf(about)) {
    location.reload();
    return;
  }
  about = next;
  showState();
  if (!byId('controls').contains(document.activeElement) && !wishes.size) showControls();
  draw();
};
events.onerror = () => { events.close(); byId('time').textContent = '`lacuna watch` has ended'; };

byId('save').onclick = async () => { if (await send('save', {})) byId('state').textContent = `written into ${about.graph}`; };
byId('forget').onclick = () => send('forget', {});
byId('shownFrame').onchange = event => send('frame', {frame: Number(event.target.value)});
document.title = `${about.graph} - Lacuna`;
showControls();
showState();
