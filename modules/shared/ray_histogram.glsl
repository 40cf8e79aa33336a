// Ray histograms (Delbracio et al. 2014, Boosting Monte Carlo Rendering by Ray Histogram Fusion): each sample
// is shared between two bins of each colour. Bins are evenly spaced after a power, up to `maximum`; the last
// two hold larger values, up to twice that.

const float histogramEnd = 2.0;  // times `maximum`

struct BinShare {
  int bin;      // holds 1 - share,
  float share;  // the next bin has the rest
};

BinShare binShareOf(float light, int bins, float gamma, float maximum) {
  float v = min(pow(max(light, 0.0), 1.0 / gamma) / maximum, histogramEnd);
  float place = v * float(bins - 2);
  int bin = int(min(place, float(bins - 2)));
  if (bin >= bins - 2) { return BinShare(bins - 2, (v - 1.0) / (histogramEnd - 1.0)); }
  return BinShare(bin, place - float(bin));
}
