// The pictures come from the server, as large as they are shown.

let about = JSON.parse(byId('about').textContent);
const token = new URLSearchParams(location.search).get('token');
const ask = (path, words = {}) => `${path}?${new URLSearchParams({token, ...words})}`;
const readPicture = async p => {
  const {name, version} = about.pictures[p], width = Math.round(about.width * Math.min(1, shownScale()));
  const answer = await fetch(ask('picture', {name, version, width}));
  if (!answer.ok) throw new Error(await answer.text());
  return decode(await answer.blob());
};
