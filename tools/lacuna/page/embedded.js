// The pictures are in the page, a script element of text for each frame of each: files that browsers read, or halves.

const about = JSON.parse(byId('about').textContent);
const bytesOf = text => Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
const readPicture = async (p, frame) => {
  const {dataset, textContent} = byId(`picture-${p}-${frame}`), bytes = bytesOf(textContent);
  return dataset.kind === 'halves' ? {width: about.width, height: about.height, halves: new Uint16Array(bytes.buffer)} : decode(new Blob([bytes], {type: dataset.type}));
};
