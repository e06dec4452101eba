import sharp from 'sharp'
import { expect, it } from 'vitest'
import { makeVariants } from './resize-picture.ts'

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#c2410c80' } })

const sizes = async (original: Buffer) => {
  const { variants } = await makeVariants(original)
  return variants.map(({ width, format }) => `${width} ${format}`)
}

it('keeps every width that the picture fills, in every format', async () => {
  const original = await picture(700, 350).png().toBuffer()
  expect(await sizes(original)).toEqual([
    '320 avif',
    '320 webp',
    '320 jpeg',
    '640 avif',
    '640 webp',
    '640 jpeg',
  ])
  expect(await sizes(await picture(3000, 20).png().toBuffer())).toContain('1280 webp')
})

it('keeps a small picture as large as it is', async () => {
  const original = await picture(48, 30).png().toBuffer()
  expect(await sizes(original)).toEqual(['48 avif', '48 webp', '48 jpeg'])
})

it('turns a picture upright and forgets where it was taken', async () => {
  const gps = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } }
  const original = await picture(400, 200)
    .jpeg()
    .withMetadata({ orientation: 6, exif: gps })
    .toBuffer()
  const { variants } = await makeVariants(original)
  for (const { width, bytes, format } of variants) {
    expect(width).toBe(200)
    const kept = await sharp(bytes).metadata()
    expect(kept).toMatchObject({ width: 200, height: 400, format: format.replace('avif', 'heif') })
    expect([kept.exif, kept.orientation, kept.hasAlpha]).toEqual([undefined, undefined, false])
  }
})

it('gives the same picture the same version and another one another', async () => {
  const original = await picture(20, 20).png().toBuffer()
  const { version } = await makeVariants(original)
  expect(version).toMatch(/^[\w-]{12}$/)
  expect((await makeVariants(original)).version).toBe(version)
  const other = await picture(20, 21).png().toBuffer()
  expect((await makeVariants(other)).version).not.toBe(version)
})

it('refuses what is no picture', async () => {
  await expect(makeVariants(Buffer.from('no picture'))).rejects.toThrow()
})
