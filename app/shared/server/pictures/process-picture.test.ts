import sharp, { type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { PHOTO_FORMATS } from '#db/schema.ts'
import { moving, noise, plain } from '#tests/support/pictures.ts'
import { processPicture } from './process-picture.ts'

const TYPES = {
  JPEG: (picture: Sharp) => picture.jpeg(),
  'progressive JPEG': (picture: Sharp) => picture.jpeg({ progressive: true }),
  'JPEG for print': (picture: Sharp) => picture.toColourspace('cmyk').jpeg(),
  PNG: (picture: Sharp) => picture.png(),
  'interlaced PNG': (picture: Sharp) => picture.png({ progressive: true }),
  'grey PNG of 16 bits': (picture: Sharp) => picture.toColourspace('grey16').png(),
  WebP: (picture: Sharp) => picture.webp(),
  AVIF: (picture: Sharp) => picture.avif({ effort: 0 }),
  // a palette for noise takes seconds to choose
  GIF: (picture: Sharp) => picture.gif({ effort: 1, colours: 16 }),
}

/** The centre pixel of a stored variant. */
async function middleOf(bytes: Buffer) {
  const [, , kept] = (await processPicture(bytes)).variants
  const { data, info } = await sharp(kept?.bytes).raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * 3
  return [...data.subarray(at, at + 3)].map((value) => Math.round(value / 64) * 64)
}

describe.each(Object.entries(TYPES))('a %s', (_type, encode) => {
  it('is kept in every format and as wide as it is', async () => {
    const { variants } = await processPicture(await encode(plain(400, 300)).toBuffer())
    expect(variants.map(({ width, format }) => [width, format])).toEqual(
      PHOTO_FORMATS.map((format) => [320, format]),
    )
  })

  it('is refused when its end is missing', async () => {
    const whole = await encode(noise(400, 300, 40)).toBuffer()
    for (const part of [0.999, 0.5, 0.1].map((share) => Math.floor(whole.length * share))) {
      const half = processPicture(whole.subarray(0, Math.min(part, whole.length - 20)))
      await expect(half, `${part} of ${whole.length}`).rejects.toMatchObject({
        code: 'unsupported_media',
        message: 'The photo is damaged or incomplete.',
      })
    }
  })
})

describe('a picture that moves', () => {
  it.each([
    ['GIF', (picture: Sharp) => picture.gif()],
    ['WebP', (picture: Sharp) => picture.webp({ lossless: true })],
  ])('is kept as its first frame: %s', async (_type, encode) => {
    const bytes = await encode(await moving(60, 40)).toBuffer()
    expect((await sharp(bytes).metadata()).pages).toBe(2)
    expect(await middleOf(bytes)).toEqual([256, 0, 0])
  })
})

describe('a picture of odd shape', () => {
  it.each([
    [1, 1],
    [1, 40_000],
    [40_000, 1],
    [300, 60_000],
  ])('of %i × %i is kept', async (width, height) => {
    const { variants } = await processPicture(await plain(width, height).png().toBuffer())
    expect(variants.length).toBeGreaterThan(0)
    for (const { width, bytes } of variants) {
      const kept = await sharp(bytes).metadata()
      expect(kept.width).toBe(width)
      expect(kept.height).toBeLessThanOrEqual(5120)
    }
  })
})

const PDF = '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n'
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
const HEIC = '\0\0\0\x18ftypheic\0\0\0\0mif1heic'

describe('a file that is not a picture of an accepted type', () => {
  const others: Record<string, () => Buffer | Promise<Buffer>> = {
    'a PDF': () => Buffer.from(PDF),
    'an SVG': () => Buffer.from(SVG),
    'an SVG behind a declaration': () => Buffer.from(`<?xml version="1.0"?>${SVG}`),
    'a TIFF': () => plain(9, 9).tiff().toBuffer(),
    'an HEIC': () => Buffer.from(HEIC, 'latin1'),
    'a sound in a RIFF file': () => Buffer.from('RIFF\0\0\0\0WAVEfmt '),
    'a page': () => Buffer.from('<!doctype html><script>alert(1)</script>'),
    'an empty file': () => Buffer.alloc(0),
  }
  it.each(Object.entries(others))('is refused: %s', async (_what, make) => {
    await expect(processPicture(await make())).rejects.toMatchObject({
      code: 'unsupported_media',
      message: 'The photo must be a JPEG, PNG, WebP, AVIF or GIF picture.',
    })
  })

  it.each([
    '\xff\xd8\xff',
    '\x89PNG\r\n\x1a\n',
    'GIF89a',
    'RIFF\0\0\0\0WEBP',
    '\0\0\0\x18ftypavif',
    '<!--ftypavif-->',
  ])('is refused where it only begins like one: %j', async (beginning) => {
    for (const rest of ['', PDF, SVG, '\0'.repeat(1000), '\xff'.repeat(1000)]) {
      await expect(processPicture(Buffer.from(beginning + rest, 'latin1'))).rejects.toMatchObject({
        code: 'unsupported_media',
      })
    }
  })
})

/** A picture's bytes with another size in the header. */
const saying = (bytes: Buffer, ...sizes: [at: number, bytes: number[]][]) => {
  const changed = Buffer.from(bytes)
  for (const [at, values] of sizes) changed.set(values, at)
  return changed
}

describe('a picture of more than 50 megapixels', () => {
  it('is refused, however few bytes it takes', async () => {
    const bytes = await plain(10_001, 5000).png({ compressionLevel: 9 }).toBuffer()
    expect(bytes.length).toBeLessThan(500_000)
    await expect(processPicture(bytes)).rejects.toMatchObject({
      code: 'too_large',
      message: 'The photo may have at most 50 megapixels.',
    })
  })

  it('is refused before any of it is drawn', async () => {
    const jpeg = await plain(16, 16).jpeg().toBuffer()
    const size = jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5
    const gif = await plain(16, 16).gif().toBuffer()
    const frame = gif.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 16, 0, 16, 0])) + 5
    const huge = [0x7f, 0x7f, 0x7f, 0x7f]
    for (const bomb of [saying(jpeg, [size, huge]), saying(gif, [6, huge], [frame, huge])]) {
      await expect(processPicture(bomb)).rejects.toMatchObject({ code: 'too_large' })
    }
  })
})

const countProcesses = () =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'ProcessWrap').length

describe('many pictures at once', () => {
  it('are read two at a time', async () => {
    const bytes = await plain(400, 300).jpeg().toBuffer()
    const others = countProcesses()
    const counts: number[] = []
    const watch = setInterval(() => counts.push(countProcesses() - others))
    await Promise.all(Array.from({ length: 8 }, () => processPicture(bytes)))
    clearInterval(watch)
    // two more may be ending
    expect(Math.max(...counts)).toBeOneOf([2, 3, 4])
  })
})
