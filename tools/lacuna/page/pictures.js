// Pictures of the page: decoded when they are first shown, painted for the screen at an exposure.
// A picture is a bitmap and its bytes (sRGB, as the browser decodes its file) or halves (linear Rec. 709), with a width and a height.

const halfValues = new Float32Array(65536);
for (let i = 0; i < 65536; ++i) {
  const exponent = (i >> 10) & 31, fraction = i & 1023;
  const size = exponent === 31 ? (fraction ? NaN : Infinity)
    : exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * fraction / 1024;
  halfValues[i] = i & 0x8000 ? -size : size;
}
const toScreen = v => 255 * (v <= 0.0031308 ? 12.92 * Math.max(v, 0) : 1.055 * Math.min(v, 1) ** (1 / 2.4) - 0.055);
const byteValues = Float32Array.from({length: 256}, (_, i) =>
  i <= 10 ? i / 255 / 12.92 : ((i / 255 + 0.055) / 1.055) ** 2.4);

// Of the values of `linear`, which are looked up: a table that paints them.
function screenTable(linear, stops) {
  const gain = 2 ** stops, table = new Uint8ClampedArray(linear.length);
  for (let i = 0; i < linear.length; ++i) table[i] = Math.round(toScreen(gain * linear[i]));
  return table;
}

// Of a file that browsers read. Its bytes are read when they are first asked for, as that takes longer than painting it.
async function decode(blob) {
  const bitmap = await createImageBitmap(blob), {width, height} = bitmap;
  let bytes = null;
  const read = () => {
    const context = new OffscreenCanvas(width, height).getContext('2d', {willReadFrequently: true});
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, width, height).data;
  };
  return {width, height, bitmap, get bytes() { return bytes ??= read(); }};
}

// RGBA for the screen. NaN and infinite values are magenta.
function screenPixels(picture, stops) {
  if (picture.bitmap && stops === 0) return picture.bytes;
  const count = picture.width * picture.height, out = new Uint8ClampedArray(4 * count);
  if (picture.bitmap) {
    const table = screenTable(byteValues, stops), {bytes} = picture;
    for (let i = 0; i < 4 * count; ++i) out[i] = i % 4 === 3 ? bytes[i] : table[bytes[i]];
    return out;
  }
  const table = screenTable(halfValues, stops), halves = picture.halves;
  for (let i = 0, at = 0; at < 4 * count; i += 3, at += 4) {
    const r = halves[i], g = halves[i + 1], b = halves[i + 2];
    const isFinite = (r & 0x7c00) !== 0x7c00 && (g & 0x7c00) !== 0x7c00 && (b & 0x7c00) !== 0x7c00;
    out[at] = isFinite ? table[r] : 255;
    out[at + 1] = isFinite ? table[g] : 0;
    out[at + 2] = isFinite ? table[b] : 255;
    out[at + 3] = 255;
  }
  return out;
}

const linearAt = (picture, pixel, c) =>
  picture.bitmap ? byteValues[picture.bytes[4 * pixel + c]] : halfValues[picture.halves[3 * pixel + c]];

function valuesText(picture, x, y) {
  const pixel = y * picture.width + x, each = [0, 1, 2];
  if (picture.halves) return each.map(c => Number(linearAt(picture, pixel, c).toPrecision(4))).join(' ');
  const at = each.map(c => picture.bytes[4 * pixel + c]), alpha = picture.bytes[4 * pixel + 3];
  return at.join(' ') + (alpha === 255 ? '' : `, alpha ${alpha}`);
}

// |a - b| on screen, times a gain: black where both are equal.
function differencePixels(a, b, stops, gain) {
  if (a.width !== b.width) return screenPixels(a, stops);  // connectors of different sizes
  const first = screenPixels(a, stops), second = screenPixels(b, stops), out = new Uint8ClampedArray(first.length);
  for (let i = 0; i < out.length; ++i) out[i] = i % 4 === 3 ? 255 : gain * Math.abs(first[i] - second[i]);
  return out;
}

// From dark to light, so that it is read without colours, too.
const errorColours = [[0, 0, 4], [59, 15, 112], [140, 41, 129], [222, 73, 104], [254, 159, 109], [252, 253, 191]];
const errorTable = Uint8ClampedArray.from({length: 3 * 256}, (_, i) => {
  const at = Math.floor(i / 3) / 255 * (errorColours.length - 1), k = Math.min(Math.floor(at), errorColours.length - 2);
  return errorColours[k][i % 3] + (at - k) * (errorColours[k + 1][i % 3] - errorColours[k][i % 3]);
});
const errorDecades = [-5, 1];  // relMSE of a pixel, as powers of 10: what is black and what is lightest

function errorPixels(a, b) {
  if (a.width !== b.width) return screenPixels(a, 0);
  const count = a.width * a.height, out = new Uint8ClampedArray(4 * count), [low, high] = errorDecades;
  for (let i = 0; i < count; ++i) {
    let sum = 0;
    for (let c = 0; c < 3; ++c) {
      const reference = linearAt(b, i, c), difference = linearAt(a, i, c) - reference;
      sum += difference * difference / (reference * reference + 0.01) / 3;
    }
    const index = 3 * Math.round(255 * Math.min(Math.max((Math.log10(sum) - low) / (high - low), 0), 1) || 0);
    for (let c = 0; c < 3; ++c) out[4 * i + c] = Number.isFinite(sum) ? errorTable[index + c] : [255, 0, 255][c];
    out[4 * i + 3] = 255;
  }
  return out;
}

function canvasOf(pixels, {width, height}) {
  if (pixels instanceof ImageBitmap) return pixels;
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
  return canvas;
}
