/** Answers and pages of a shop in which all stored texts are hostile. */

import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { isOpen } from '#app/shared/contract/access.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { declared } from '#tests/support/declared.ts'
import { pagePatterns } from '#tests/support/page-patterns.ts'
import { signedPayment } from '#tests/support/payments.ts'
import { plain } from '#tests/support/pictures.ts'
import { type Attempt, asJson, by, get, type Headers, type Response } from './support/http.ts'
import { addOwner, type Owner, senderOf } from './support/owner.ts'
import { formOf, isRead, requestFor } from './support/requests.ts'
import { openWorld, type World } from './support/world.ts'

const world = openWorld()

const EVIL = 'evil.example'
const POISON = 'poison.example'
const CODE = '<?php system($_GET[0]); ?>'
const SCRIPT = '</script><script>injected()</script><img src=x>'

/** Beginnings of a cell that a spreadsheet would execute. */
const FORMULA_STARTS = ['=', '+', '-', '@', '\t=', '\r=', '＝']

/**
 * An owner with a paid order, all of whose texts begin like a formula, end an SQL statement, and
 * contain markup.
 */
async function addHostile(start: string, admin: { token: string; photo: Buffer }): Promise<Owner> {
  const { shop, send } = world()
  const owner = await addOwner(shop)
  const { person, category, product, payment } = owner
  const put = async (token: string, path: string, sent: object, method = 'PUT') => {
    const attempt = { method, path: `/api/v1${path}`, headers: {}, ...sent }
    const { status, text } = await send(by({ authorization: token }, attempt))
    if (status >= 300) throw new Error(`${path} answers ${status}: ${text}`)
    return JSON.parse(text)
  }
  const name = `${start}1+1'; drop table users; --$$${SCRIPT}`
  const contact = { name, address: name, phone: name.slice(0, 50) }
  const shelf = { name: `${start}${category.id.slice(-6)}'${SCRIPT}` }
  const facts = formOf({ name, description: name, quantity: 100 }, admin.photo)
  await put(person.token, '/auth/profile', asJson(contact))
  await put(admin.token, `/category/update-category/${category.id}`, asJson(shelf))
  await put(admin.token, `/product/update-product/${product.id}`, facts)
  await put(person.token, '/product/razorpay/verify', asJson(signedPayment(payment)), 'POST')
  const { slug } = await shop.db
    .selectFrom('products')
    .where('id', '=', product.id)
    .select('slug')
    .executeTakeFirstOrThrow()
  return { ...owner, person: { ...person, name }, product: { ...product, slug } }
}

/** Headers naming another site that a page or a proxy might trust. */
const FORGED: Headers = Object.fromEntries(
  `origin: https://${EVIL}
  referer: https://${EVIL}/
  sec-fetch-site: cross-site
  host: ${POISON}
  x-forwarded-host: ${POISON}
  forwarded: host=${POISON}
  x-forwarded-prefix: /${POISON}
  x-original-url: /api/v1/auth/orders
  x-rewrite-url: /${POISON}
  accept-language: ${POISON}
  user-agent: ${POISON}
  cookie: token=${POISON}; theme=${POISON}
  x-react-router-prerender-data: ${POISON}
  x-react-router-spa-mode: yes`
    .split('\n')
    .map((line) => line.trim().split(': ')),
)
const ELSEWHERE = ['//', '/\\', '/%5c', '/%2f%2f', '/.//'].map((start) => `${start}${EVIL}/`)
const WISHES = `from=//${EVIL}&redirect=https://${EVIL}&next=/%5c${EVIL}&url=javascript:injected()`

/** Every page and its data with hostile parameters, and a form posted from another site. */
function pageAttempts({ person, category, product }: Owner): Attempt[] {
  const name = encodeURIComponent(person.name)
  const paths = pagePatterns.flatMap((row) => {
    const slug = encodeURIComponent(row.startsWith('/category') ? category.slug : product.slug)
    const path = row.replace(':slug', slug).replace('*', name)
    return [path, `${path === '/' ? '/_root' : path}.data`]
  })
  const query = `q=${name}&category=${category.id}&${WISHES}`
  const type = { 'content-type': 'application/x-www-form-urlencoded', 'rsc-action-id': 'x' }
  return [
    ...[...paths, ...ELSEWHERE].map((path) => get(`${path}?${query}`)),
    ...paths.map((path) => ({ method: 'POST', path, headers: type, body: 'a=b' })),
  ]
}

type Left = { name: string; response: Response }
const all: Left[] = []
let secrets: string[] = []

/** Sends a request as another site's page would, and reads the next guest's answer. */
async function note(name: string, attempt: Attempt) {
  const { send } = world()
  all.push({ name, response: await send(by(FORGED, attempt)) })
  if (attempt.method === 'GET')
    all.push({ name: `${name}, read again`, response: await send(attempt) })
}

async function secretsOf({ db, config }: World['shop']) {
  const users = await db.selectFrom('users').select('password_hash').execute()
  const sessions = await db.selectFrom('sessions').select('token_hash').execute()
  const hashes = sessions.flatMap(({ token_hash: hash }) => [
    hash.toString('hex'),
    hash.toString('base64'),
  ])
  const keys = [config.SANDBOX_SECRET, config.RAZORPAY_WEBHOOK_SECRET]
  const texts = users.map(({ password_hash }) => password_hash)
  return ['$argon2', ...texts, ...hashes, ...keys].filter((one) => one !== undefined)
}

beforeAll(async () => {
  const { shop } = world()
  const admin = await addPerson(shop.db, { admin: true })
  const photo = Buffer.concat([await plain(40, 30).jpeg().toBuffer(), Buffer.from(CODE)])
  const add = (start: string) => addHostile(start, { token: admin.token, photo })
  let owner = await add('')
  for (const start of FORMULA_STARTS) owner = await add(start)
  for (const attempt of pageAttempts(owner))
    await note(`${attempt.method} ${attempt.path}`, attempt)
  for (const [name, endpoint] of declared) {
    const its = isRead(endpoint) ? owner : await add('=')
    const sender = senderOf(endpoint, {
      owner: its,
      admin: await addPerson(shop.db, { admin: true }),
    })
    const changed = isRead(endpoint) ? { q: owner.person.name } : {}
    const attempt = requestFor(endpoint, its, changed)
    const headers: Headers = isOpen(endpoint.access) ? {} : { authorization: sender.token }
    await note(name, by(headers, attempt))
  }
  secrets = await secretsOf(shop)
})

type Judge = (left: Left) => string | false

const typeOf = ({ headers }: Response) => String(headers['content-type'])

const SECRET_NAME = /"[^"]*(password|hash|secret|token)[^"]*":/i

const isTelling: Judge = ({ name, response }) => {
  const said = response.text + JSON.stringify(response.headers)
  const named = name.startsWith('login') ? said.replace('"token":', '') : said
  const isNamed = !typeOf(response).includes('html') && SECRET_NAME.test(named)
  return (isNamed || secrets.some((secret) => said.includes(secret))) && 'tells a secret'
}

const isBroken: Judge = ({ response: { status, text } }) =>
  (status >= 500 || /syntax error|SQLSTATE/.test(text)) && `answers ${status}`

/** Content types that browsers neither render nor run with nosniff; the last one is page data. */
const TEXT = /^(application\/(json|x-ndjson)|text\/(csv|x-script))\b/

const isRun: Judge = ({ response }) => {
  const isText =
    TEXT.test(typeOf(response)) && response.headers['x-content-type-options'] === 'nosniff'
  return /<script>injected|<img src=x/.test(response.text) && !isText && 'runs a stored script'
}

const FORMULA = /^[\s']*$|^[=+\-@\t\r\n＝＋－＠]/

const isCalculated: Judge = ({ response }) => {
  if (!typeOf(response).includes('csv')) return false
  const rows: string[][] = parse(response.bytes, { bom: true })
  const texts = rows.flat().filter((cell) => cell !== '' && !/^-?\d+(\.\d+)?$/.test(cell))
  return texts.some((cell) => FORMULA.test(cell)) && 'has a formula'
}

const LEADS_AWAY = /(href|action|src)="(javascript:|data:text|https?:\/\/evil|\/\/|\/\\)/i

const isLeading: Judge = ({ name, response: { status, headers, text } }) => {
  const { location = '/' } = headers
  if (!/^\/(?![/\\])/.test(location)) return `sends to ${location}`
  if (typeof headers['content-type'] === 'string' && LEADS_AWAY.test(text)) return 'links away'
  if (headers['access-control-allow-origin'] !== undefined) return 'may be read by other sites'
  if (headers['set-cookie'] !== undefined) return 'sets a cookie'
  return name.startsWith('POST /') && status < 400 && 'takes a form of another site'
}

const isPoisoned: Judge = ({ response: { text, headers } }) =>
  (text + JSON.stringify(headers)).includes(POISON) && 'reflects a header'

/** Photos are re-encoded, and their type is not sniffed. */
const isCode: Judge = ({ name, response: { headers, bytes } }) => {
  const isPhoto = name.startsWith('productPhoto')
  const isInert =
    String(headers['content-type']).startsWith('image/') &&
    headers['x-content-type-options'] === 'nosniff'
  return (bytes.includes(CODE) || (isPhoto && !isInert)) && 'is code'
}

const found = (judge: Judge, some: Left[]) =>
  some.flatMap((left) => (judge(left) ? [`${left.name.slice(0, 60)} ${judge(left)}`] : []))

/** The attack finds nothing, but does find planted holes. */
const judged = (title: string, judge: Judge, where: RegExp, hole: (one: Response) => object) =>
  it(title, () => {
    expect(found(judge, all)).toEqual([])
    const planted = all
      .filter(({ name }) => where.test(name))
      .map(({ name, response }) => ({ name, response: { ...response, ...hole(response) } }))
    expect(found(judge, planted)).not.toEqual([])
  })

describe('answers and pages', () => {
  it('is all that it was asked for', () => {
    const refused = all.filter(({ response }) => [401, 403].includes(response.status))
    expect(refused.map(({ name }) => name)).toEqual([])
    expect(all.length).toBeGreaterThan(declared.length + pagePatterns.length)
  })

  judged('class 2: is no error of SQL', isBroken, /^getProduct$/, () => ({ status: 500 }))
  judged('class 3: tells no secret', isTelling, /^getAllUsers$/, () => ({ text: secrets[1] }))
  judged('class 17: is no stored script', isRun, /^GET \/product/, () => ({ text: SCRIPT }))
  judged('class 18: is no page of the public', isRun, /^getAllUsers$/, ({ headers }) => ({
    headers: { ...headers, 'content-type': 'text/html' },
  }))
  judged('class 19: leads to no other site', isLeading, /^POST \/login$/, () => ({ status: 302 }))
  judged('class 20: has no header of the last guest', isPoisoned, /\/login.* again$/, () => ({
    text: `<base href="//${POISON}">`,
  }))
  judged('class 22: is no photo that is also code', isCode, /^productPhoto$/, () => ({
    bytes: Buffer.from(CODE),
  }))
  judged('class 28: is no formula', isCalculated, /^exportOrders$/, ({ text }) => ({
    bytes: Buffer.from(text.replaceAll("'=", '=')),
  }))
})
