/** What leaves the shop: no secret, no error of SQL, no markup of others, no formula. */
import { parse } from 'csv-parse/sync'
import { beforeAll, describe } from 'vitest'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { declared } from '#tests/support/declared.ts'
import { type Attack, changing, defend, plant } from './support/attack.ts'
import { get, type Response, withHeader, withText } from './support/http.ts'
import { addMember, addOwner, type Owner } from './support/people.ts'
import { by, requestFor } from './support/requests.ts'
import { addHostile, FORMULA_STARTS, MARKUP, pagesFor } from './support/stored.ts'
import { openWorld, type World } from './support/world.ts'

const world = openWorld()
let hostiles: Owner[]
beforeAll(async () => {
  hostiles = []
  for (const start of FORMULA_STARTS) hostiles.push(await addHostile(world(), start))
})

const isRead = ({ method }: Endpoint) => method === 'GET'
const admin = async () => ({
  authorization: (await addMember(world().shop, { admin: true })).token,
})

/** Whoever may make a call makes it, about these things. */
async function* answersAbout({ shop, send }: World, owner: Owner, calls = declared) {
  for (const [name, endpoint] of calls) {
    const its = isRead(endpoint) ? owner : { ...(await addOwner(shop)), person: owner.person }
    const fresh = endpoint.path.includes('logout') ? await addMember(shop) : owner.person
    // found by name, however many came since
    const named = isRead(endpoint) ? { q: owner.person.name } : {}
    const token = endpoint.access === 'user' ? { authorization: fresh.token } : await admin()
    yield { name, endpoint, response: await send(by(token, requestFor(endpoint, its, named))) }
  }
}

/** Every answer of every call, and every page. */
async function* everything(opened: World, owner: Owner) {
  for await (const { name, response } of answersAbout(opened, owner)) yield { name, response }
  for (const path of pagesFor(owner)) {
    yield { name: path.slice(0, 60), response: await opened.send(get(path)) }
  }
}

const SECRET_NAME = /"[^"]*(password|hash|secret|token)[^"]*":/i

/** Every value of a column that holds a secret, as bytes are written in text. */
async function secretsIn({ shop: { db, config } }: World): Promise<string[]> {
  const users = await db.selectFrom('users').selectAll().execute()
  const sessions = await db.selectFrom('sessions').selectAll().execute()
  const bytes = sessions.flatMap(({ token_hash: hash }) =>
    (['hex', 'base64', 'base64url'] as const).map((how) => hash.toString(how)),
  )
  const settings = [
    config.SANDBOX_SECRET,
    config.RAZORPAY_WEBHOOK_SECRET,
    config.RAZORPAY_KEY_SECRET,
  ]
  const texts = users.flatMap(({ password_hash, answer_hash }) => [password_hash, answer_hash])
  return [...texts, ...bytes, ...settings, '$argon2'].filter(
    (one) => one !== undefined && one.length > 5,
  ) as string[]
}

const tells: Attack = async function* (opened) {
  const [owner] = hostiles
  if (!owner) return
  const secrets = await secretsIn(opened)
  for await (const { name, response } of everything(opened, owner)) {
    const all = response.text + JSON.stringify(response.headers)
    if (secrets.some((secret) => all.includes(secret))) yield `${name} holds a secret`
    const isPage = String(response.headers['content-type']).includes('html')
    const named = isPage
      ? null
      : SECRET_NAME.exec(name === 'login' ? all.replace('"token":', '') : all)
    if (named) yield `${name} has a field ${named[0]}`
  }
}

const survives: Attack = async function* (opened) {
  const users = opened.shop.db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('many'))
  const before = await users.executeTakeFirstOrThrow()
  const fresh = await addHostile(opened, '=')
  for (const owner of [...hostiles, fresh]) {
    const things = {
      categoryId: owner.category.id,
      keyword: owner.person.name,
      q: owner.person.name,
    }
    const token = await admin()
    // what is not only read is changed and deleted once
    for (const [name, endpoint] of declared.filter(([, one]) => isRead(one) || owner === fresh)) {
      const headers = endpoint.access === 'user' ? { authorization: owner.person.token } : token
      const attempt = requestFor(endpoint, owner, isRead(endpoint) ? things : {})
      const { status, text } = await opened.send(by(headers, attempt))
      const isOpen = status < 500 && !/syntax error|SQLSTATE/.test(text)
      if (!isOpen) yield `${name} answers ${status} about stored SQL: ${text.slice(0, 99)}`
    }
  }
  const after = await users.executeTakeFirstOrThrow()
  if (Number(after.many) < Number(before.many)) yield 'users are gone'
}

/** Types that no browser shows as a page, nor runs, where it may not guess; the last is a page's data. */
const TEXT = /^(application\/(json|x-ndjson)|text\/(csv|x-script))\b/

/** Text that a browser would take for markup. */
const isRun = ({ headers, text }: Response) =>
  MARKUP.test(text) &&
  !(TEXT.test(String(headers['content-type'])) && headers['x-content-type-options'] === 'nosniff')

const scripts: Attack = async function* (opened) {
  const [owner] = hostiles
  if (!owner) return
  for await (const { name, response } of everything(opened, owner)) {
    if (isRun(response)) yield `${name} has markup of others in it`
  }
  for (const path of pagesFor(owner)) {
    const [plain, query] = path.split('?')
    const data = `${plain === '/' ? '/_root' : plain}.data${query ? `?${query}` : ''}`
    if (isRun(await opened.send(get(data)))) yield `the data of ${plain} is markup`
  }
}

const FORMULA = /^[\s']*$|^[=+\-@\t\r\n＝＋－＠]/
const isNumber = (cell: string) => /^-?\d+(\.\d+)?$/.test(cell)

const calculates: Attack = async function* (opened) {
  const [owner] = hostiles
  if (!owner) return
  const exports = declared.filter(([, { path }]) => path.endsWith('/export'))
  for await (const { name, response } of answersAbout(opened, owner, exports)) {
    const rows: string[][] = parse(response.bytes, { bom: true })
    if (rows.length <= FORMULA_STARTS.length) yield `${name} exports too little`
    for (const cell of rows.flat()) {
      const isBad = cell !== '' && FORMULA.test(cell) && !isNumber(cell)
      if (isBad) yield `${name} has the cell ${cell.slice(0, 20)}`
    }
  }
}

const unescaped = (response: Response) =>
  withText(
    response,
    response.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('\\u003c', '<'),
  )
describe('what leaves the shop', () => {
  defend('class 3: holds no secret, whoever asks for whatever', {
    world,
    attack: tells,
    holes: {
      'the list of users has a hash': plant(
        /getAllUsers holds a secret/,
        (send, { shop }) =>
          async (attempt) => {
            const response = await send(attempt)
            if (!attempt.path.includes('/all-users')) return response
            return withText(
              response,
              JSON.stringify(await shop.db.selectFrom('users').selectAll().execute()),
            )
          },
      ),
      'a reset tells its secret': changing(
        /forgotPassword has a field/,
        '/forgot-password',
        (one) => withText(one, '{"resetToken":"x"}'),
      ),
    },
  })
  defend('class 2: is no error of SQL, whatever is stored', {
    world,
    attack: survives,
    holes: {
      'a stored slug is put into a statement': plant(
        /getProduct answers 500/,
        (send) => async (attempt) => {
          const response = await send(attempt)
          return /get-product\/.*drop/.test(attempt.path) ? { ...response, status: 500 } : response
        },
      ),
    },
  })
  defend('class 17, 18: runs no text that somebody wrote', {
    world,
    attack: scripts,
    holes: {
      'a page shows a name as it is': changing(/\/product\/.* has markup/, '/product/', unescaped),
      'the back office gets a name as a page': changing(
        /getAllUsers has markup/,
        '/all-users',
        withHeader('content-type', 'text/html'),
      ),
    },
  })
  defend('class 28: has no formula in a cell', {
    world,
    attack: calculates,
    holes: {
      'a cell begins with =': changing(/exportOrders has the cell =/, '/order/export', (one) =>
        withText(one, one.text.replaceAll("'=", '=')),
      ),
    },
  })
})
