/** From this value on an image lies on its side. Source: Exif 2.32, tag 0x0112. */
const firstOnItsSide = 5

/** Whether width and height change places before an image is looked at. */
export function isOnItsSide(orientation: number | undefined): boolean {
  return orientation !== undefined && orientation >= firstOnItsSide
}

/** 1 to 8, of which 5 to 8 lie on their side; undefined where it is not said. Source: TIFF 6.0 and Exif 2.32, tag 0x0112. */
export function readOrientation(tiff: Buffer): number | undefined {
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  for (let entry = 0; entry < short(directory); entry++) {
    const at = directory + 2 + entry * 12
    if (short(at) === 0x0112) return short(at + 8)
  }
  return undefined
}
