import sharp, { type Sharp } from 'sharp'

/** A picture that no encoder makes much of, as a camera takes them. */
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

/** A picture of one colour, which takes few bytes however large it is. */
export const plain = (width: number, height: number, background = '#c2410c'): Sharp =>
  sharp({ create: { width, height, channels: 3, background } })

/** A picture that moves: red, then blue. */
export const moving = async (width: number, height: number): Promise<Sharp> =>
  sharp(
    await Promise.all(
      ['#f00', '#00f'].map((colour) => plain(width, height, colour).png().toBuffer()),
    ),
    { join: { animated: true } },
  )
