// Shows the tables of a benchmark, and the plots that it has drawn of them.

const about = JSON.parse(byId('about').textContent);
const cells = (tag, texts, titles) => make('tr', {}, ...texts.map((textContent, i) => make(tag, {textContent, className: titles[i]?.isLeft ? 'left' : ''})));
byId('facts').textContent = Object.entries(about.facts).map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`).join('; ');
byId('tables').append(...about.tables.map(({name, title, measures, refused, titles, names, rows, foot, plot}) => {
  const lines = rows.map(row => cells('td', row, titles));
  rows.forEach((row, i) => { if (row.length <= names + 1 && row.length < titles.length) lines[i].lastChild.colSpan = titles.length - names; });
  const drawn = make('div', {className: 'plot'});
  drawn.innerHTML = plot;  // an SVG drawing, whose words are escaped
  return make('section', {id: name}, make('h2', {textContent: title}), make('p', {textContent: refused ? `refused: ${refused}` : measures}),
    make('table', {}, cells('th', titles.map(each => each.text), titles), ...lines), make('pre', {textContent: foot}), drawn);
}));
document.title = `${['lacuna bench', ...about.tables.map(each => each.title)].filter(Boolean).join(', ')} - Lacuna`;
