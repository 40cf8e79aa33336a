// The pictures are in the page, a script element of text for each frame of each.

const about = JSON.parse(byId('about').textContent);
const readPicture = (p, frame) => {
  const {dataset, textContent} = byId(`picture-${p}-${frame}`);
  return decode(`data:${dataset.type};base64,${textContent}`, dataset.kind, about);
};
