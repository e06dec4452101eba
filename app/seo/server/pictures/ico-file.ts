/** The length of the header and of its one entry, in bytes. */
const HEADER = 22

/** An ICO file with one PNG picture of 32 by 32 pixels. */
export function icoFile(png: Buffer): Buffer {
  const header = Buffer.alloc(HEADER)
  header.writeUInt16LE(1, 2) // icon
  header.writeUInt16LE(1, 4) // one picture
  header.writeUInt8(32, 6) // width
  header.writeUInt8(32, 7) // height
  header.writeUInt16LE(1, 10) // colour planes
  header.writeUInt16LE(32, 12) // bits of a pixel
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(header.length, 18)
  return Buffer.concat([header, png])
}
