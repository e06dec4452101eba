import type { TestShop } from './shop.ts'

/** The startup lines of a shop, as `npm start` prints them. */
export async function announced({ app }: TestShop): Promise<string[]> {
  const lines = await Promise.all(
    app.modules.map(({ announce }) => announce?.('http://127.0.0.1:3000') ?? []),
  )
  return lines.flat()
}

const CODE = /^Code of the first run: (\S+)$/m

/** The code in startup lines. Throws when there is none. */
export function codeIn(lines: string): string {
  const [, code] = CODE.exec(lines) ?? []
  if (!code) throw new Error(`No code of a first run in:\n${lines}`)
  return code
}

/** Starts the first run of a shop that has no admin, and returns its code. */
export const codeOf = async (shop: TestShop): Promise<string> =>
  codeIn((await announced(shop)).join('\n'))

/** The body of a first run. */
export const FIRST_RUN = {
  shopName: 'Souk',
  name: 'Ada',
  email: 'ada@example.com',
  password: 'correct-horse',
}
