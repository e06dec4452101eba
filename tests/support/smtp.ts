/** An SMTP server in this process, which tests can make fail. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { type ParsedMessage, parseMessage } from './mime.ts'
import type { TestShop } from './shop.ts'

/** The reply of the server to one command, instead of success. */
type Refusal = { code: number; text: string }

export type Behaviour = {
  /** Refuses RCPT TO. */
  recipient?: (address: string) => Refusal | undefined
  /** Refuses the message after DATA. */
  message?: () => Refusal | undefined
  /** Called with the whole message before it is accepted; the connection waits for it. */
  received?: () => Promise<void> | void
  /** Closes the connection when it begins to receive a message. */
  dies?: boolean
}

export type Received = ParsedMessage & { to: string; raw: string }

const errorOf = ({ code, text }: Refusal) => Object.assign(new Error(text), { responseCode: code })

/** Opens a server; `behaviour` may change at any time. */
export async function openSmtp() {
  const received: Received[] = []
  const smtp = { url: '', received, behaviour: {} as Behaviour, connections: 0 }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onConnect(_session, done) {
      smtp.connections += 1
      done()
    },
    onRcptTo({ address }, _session, done) {
      const refusal = smtp.behaviour.recipient?.(address)
      done(refusal ? errorOf(refusal) : null)
    },
    onData(stream, session, done) {
      if (smtp.behaviour.dies) {
        stream.resume()
        for (const connection of server.connections) connection.close()
        return
      }
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        await smtp.behaviour.received?.()
        const refusal = smtp.behaviour.message?.()
        if (refusal) return done(errorOf(refusal))
        const raw = Buffer.concat(chunks).toString()
        const to = session.envelope.rcptTo.map(({ address }) => address).join()
        received.push({ ...parseMessage(raw), to, raw })
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  smtp.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const close = () => {
    for (const connection of server.connections) connection.close()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return Object.assign(smtp, { close })
}

export type Smtp = Awaited<ReturnType<typeof openSmtp>>

/** Lets the server wait with the first message until it is released; `reached` resolves when it has it. */
export function holdFirstMessage(smtp: Pick<Smtp, 'behaviour'>) {
  const first = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let count = 0
  smtp.behaviour = {
    received() {
      count += 1
      if (count > 1) return
      first.resolve()
      return released.promise
    },
  }
  return { reached: first.promise, release: released.resolve }
}

/** The settings of a shop that sends by this server. */
export const mailSettings = ({ url }: Pick<Smtp, 'url'>) => ({
  SMTP_URL: url,
  MAIL_FROM: 'Haat <shop@example.com>',
  SHOP_URL: 'https://shop.example.com',
})

/** Runs a background job of the shop once. */
export async function runJob(
  { app }: Pick<TestShop, 'app'>,
  name: string,
  closing = new AbortController().signal,
): Promise<void> {
  const job = app.modules.flatMap(({ jobs = [] }) => jobs).find((one) => one.name === name)
  if (!job) throw new Error(`There is no job '${name}'.`)
  await job.run(closing)
}

/** Looks for the accounts of requested links, and sends every e-mail that is due. */
export async function sendEmails(shop: Pick<TestShop, 'app'>): Promise<void> {
  await runJob(shop, 'answering requests for reset links')
  await runJob(shop, 'sending e-mails')
}

/** Makes every queued e-mail due, as after a pause. */
export const passPauses = ({ db }: Pick<TestShop, 'db'>) =>
  db
    .updateTable('emails')
    .set({ next_attempt_at: new Date(0) })
    .where('state', '=', 'queued')
    .execute()
