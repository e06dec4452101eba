/** The statements of a purchase as a script of pgbench, in which each run has other ids. */
import { preparedName } from '#db/prepared.ts'
import {
  BUYERS_EACH,
  buyerId,
  FIRST,
  LAST,
  NETWORK_OF_BUYER,
  networkOf,
  networkOfBuyer,
  productId,
} from './fixtures.ts'

/** A statement with its parameters, as it was sent to the database. */
export type Statement = { sql: string; parameters: readonly unknown[] }

/** The ids of a recorded purchase, which the script replaces. */
export type Purchase = {
  buyer: number
  products: [number, number]
  providerOrderId: string
  paymentId: string
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

const element = (value: unknown): string => {
  if (value === null) return 'null'
  return `"${String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** A parameter as a literal without a type: PostgreSQL infers the type, as it does for parameters. */
export function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Buffer.isBuffer(value)) return quoted(`\\x${value.toString('hex')}`)
  if (value instanceof Date) return quoted(value.toISOString())
  if (Array.isArray(value)) return quoted(`{${value.map(element).join(',')}}`)
  if (typeof value === 'object') return quoted(JSON.stringify(value))
  return quoted(String(value))
}

/** A statement that the shop does not prepare, with its parameters in it. */
const textOf = ({ sql, parameters }: Statement) =>
  sql.replace(/\$(\d+)/g, (_, number: string) => literalOf(parameters[Number(number) - 1]))

/**
 * The statements as the shop sends them: those that it prepares are prepared in the first run of each
 * connection, by their names.
 */
function linesOf(statements: Statement[]) {
  const texts = new Map<string, string>()
  const sent = statements.map((statement) => {
    const name = preparedName(statement.sql)
    if (!name) return `${textOf(statement)};`
    texts.set(name, statement.sql)
    return `execute "${name}" (${statement.parameters.map(literalOf).join(', ')});`
  })
  const prepared = [...texts].map(([name, text]) => `prepare "${name}" as ${text};`)
  return ['\\if :isFirstRun', ...prepared, '\\set isFirstRun 0', '\\endif', ...sent]
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

const random = (name: string, digits: number) =>
  `\\set ${name} random(${10 ** (digits - 1)}, ${10 ** digits - 1})`

/** The script. Each run has another buyer, other products, and new ids where the shop made new ones. */
export function scriptOf(statements: Statement[], purchase: Purchase): string {
  const { buyer, products, providerOrderId, paymentId } = purchase
  const [first, second] = products
  const middle = (FIRST + LAST + 1) / 2
  const known = linesOf(statements)
    .join('\n')
    .replaceAll(buyerId(buyer), buyerId(':buyer'))
    .replaceAll(productId(first), productId(':first'))
    .replaceAll(productId(second), productId(':second'))
    .replaceAll(networkOfBuyer(buyer), networkOf(':third', ':fourth'))
    .replaceAll(providerOrderId, 'order_:opened1:opened2')
    .replaceAll(paymentId, 'pay_:paid1:paid2')
  const made = [...new Set(known.match(UUID))]
  const text = made.reduce(
    (script, id, at) => script.replaceAll(id, `:a${at}-:b${at}-7000-8000-:c${at}`),
    known,
  )
  const variables = [
    `\\set buyer ${FIRST} + :client_id * ${BUYERS_EACH} + random(0, ${BUYERS_EACH - 1})`,
    `\\set third ${NETWORK_OF_BUYER.third}`,
    `\\set fourth ${NETWORK_OF_BUYER.fourth}`,
    `\\set first random(${FIRST}, ${middle - 1})`,
    `\\set second random(${middle}, ${LAST})`,
    ...['opened1', 'opened2', 'paid1', 'paid2'].map((name) => random(name, 12)),
    ...made.flatMap((_, at) => [random(`a${at}`, 8), random(`b${at}`, 4), random(`c${at}`, 12)]),
  ]
  return `${[...variables, text].join('\n')}\n`
}
