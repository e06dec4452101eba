/** Reads the messages that nodemailer writes: text, HTML, and pictures of the HTML. */

export type ParsedMessage = {
  headers: Record<string, string>
  subject: string
  text: string
  html: string
  /** The headers of the parts beside text and HTML. */
  attached: Record<string, string>[]
}

const unquoted = (text: string) =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([\dA-F]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    'latin1',
  ).toString('utf8')

const decoded = (encoding: string, text: string) => {
  if (/base64/i.test(encoding)) return Buffer.from(text, 'base64').toString('utf8')
  return /quoted-printable/i.test(encoding) ? unquoted(text) : text
}

/** RFC 2047. */
const headerText = (value: string) =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_, kind: string, text: string) =>
      /b/i.test(kind)
        ? Buffer.from(text, 'base64').toString('utf8')
        : unquoted(text.replaceAll('_', ' ')),
    )

function split(part: string) {
  const at = part.search(/\r?\n\r?\n/)
  const head = part.slice(0, at).replace(/\r?\n[ \t]+/g, ' ')
  const headers = Object.fromEntries(
    head.split(/\r?\n/).map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { headers, body: part.slice(at).replace(/^\r?\n\r?\n/, '') }
}

type Part = ReturnType<typeof split>

/** The part itself, or the parts inside it. */
function leavesOf(part: Part): Part[] {
  const [, boundary] =
    /^multipart\/.*boundary="([^"]+)"/.exec(part.headers['content-type'] ?? '') ?? []
  if (boundary === undefined) return [part]
  const inside = part.body.split(`--${boundary}`).slice(1, -1)
  return inside.flatMap((one) => leavesOf(split(one.replace(/^\r?\n/, ''))))
}

export function parseMessage(raw: string): ParsedMessage {
  const message = split(raw)
  const { headers } = message
  const leaves = leavesOf(message)
  const isOf = (type: string) => (part: Part) => part.headers['content-type']?.startsWith(type)
  const textOf = (part: Part | undefined) =>
    part
      ? decoded(part.headers['content-transfer-encoding'] ?? '', part.body).replaceAll('\r\n', '\n')
      : ''
  return {
    headers,
    subject: headerText(headers.subject ?? ''),
    text: textOf(leaves.find(isOf('text/plain'))),
    html: textOf(leaves.find(isOf('text/html'))),
    attached: leaves.filter((part) => !isOf('text/')(part)).map((part) => part.headers),
  }
}
