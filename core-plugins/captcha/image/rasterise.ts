import sharp from 'sharp'

// The work is small and there are other images to make: a thread more would only be taken from them.
sharp.concurrency(1)

/** Turns a drawing into a PNG of few colours, without any other data in it. */
export function rasterise(svg: string): Promise<Buffer> {
  return sharp(Buffer.from(svg))
    .png({ palette: true, colours: 32, effort: 1, compressionLevel: 9, dither: 0 })
    .toBuffer()
}
