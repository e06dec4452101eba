import sharp, { type Sharp } from 'sharp'

/** A picture that compresses badly, like a camera's. */
export const noise = (width: number, height: number, sigma = 10): Sharp =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma },
    },
  })

/** A picture of one colour, which compresses well. */
export const plain = (width: number, height: number, background = '#c2410c'): Sharp =>
  sharp({ create: { width, height, channels: 3, background } })

/** An animation: red, then blue. */
export const moving = async (width: number, height: number): Promise<Sharp> =>
  sharp(
    await Promise.all(
      ['#f00', '#00f'].map((colour) => plain(width, height, colour).png().toBuffer()),
    ),
    { join: { animated: true } },
  )
