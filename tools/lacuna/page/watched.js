// The pictures come from the server, as large as they are shown.

let about = JSON.parse(byId('about').textContent);
const token = new URLSearchParams(location.search).get('token');
const ask = (path, words = {}) => `${path}?${new URLSearchParams({token, ...words})}`;
const readPicture = p => {
  const {name, version} = about.pictures[p], width = Math.round(about.width * Math.min(1, shownScale()));
  return decode(ask('picture', {name, version, width}), 'bytes');
};
