import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'
import type { Answer } from './workers.ts'

const PROGRAM = '/usr/sbin/nginx'
export const ONE_MACHINE = fileURLToPath(new URL('../../deploy/one-machine/', import.meta.url))
const NAME = 'shop.example.com'

/** Where no shop is: a port that only root opens. */
const CLOSED = '127.0.0.1:1'

type Question = { method?: string; headers?: Record<string, string>; body?: object | string }

export type Nginx = {
  /** Stands for /run/haat. */
  folder: string
  /** Sends a request over TLS and a kept connection. Rejects when the connection breaks. */
  ask: (path: string, question?: Question) => Promise<Answer>
  /** The address without TLS. */
  plainAddress: string
  /** The lines of the access log so far. */
  accessLog: () => string
  /** The lines of the error log so far. */
  errorLog: () => string
  stop: () => Promise<void>
}

function makeCertificate(folder: string) {
  const key = join(folder, 'key.pem')
  const certificate = join(folder, 'certificate.pem')
  const subject = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`]
  const files = ['-keyout', key, '-out', certificate]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync('openssl', ['req', ...kind, ...subject, ...files], { stdio: 'ignore' })
  return { key, certificate }
}

type Places = { folder: string; port: number; plainPort: number; shops: string[] }

/** The site of deploy/one-machine with the addresses, ports and folders of a test. */
function siteAt({ folder, port, plainPort, shops }: Places, site: string): string {
  const { key, certificate } = makeCertificate(folder)
  return site
    .replaceAll(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace('listen 443 ', `listen 127.0.0.1:${port} `)
    .replaceAll(/127\.0\.0\.1:300([01])/g, (_all, n) => shops[n] ?? CLOSED)
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`)
    .replace('/var/log/nginx/haat.log', join(folder, 'access.log'))
    .replace('/var/cache/nginx/haat', join(folder, 'pages'))
    .replaceAll('/run/haat', folder)
    .replaceAll('/var/www/haat/', ONE_MACHINE)
    .replaceAll('/var/www/html', folder)
}

/** The part of Debian's nginx.conf that concerns a site, for a nginx of the test's user. */
function mainFile(folder: string, site: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const places = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join(' ')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const main = `${user} daemon off; worker_processes 2; pid ${join(folder, 'pid')}; error_log ${join(folder, 'error.log')}; events {}`
  return `${main}
http { include /etc/nginx/mime.types; access_log off; gzip on; ${places}
${site} }`
}

/** Why nginx cannot be started here; undefined if it can. */
export const nginxMissing = () => (existsSync(PROGRAM) ? undefined : 'nginx is not installed here.')

/** Starts nginx with its file of deploy/one-machine in front of shops, such as 127.0.0.1:3000. */
export async function startNginx(shops: string[], { keepsPages = false } = {}): Promise<Nginx> {
  const written = readFileSync(join(ONE_MACHINE, 'nginx.conf'), 'utf8')
  const site = keepsPages ? written.replaceAll('#cache ', '') : written
  const folder = await mkdtemp(join(tmpdir(), 'haat-nginx-'))
  const places = { folder, shops, port: await freePort(), plainPort: await freePort() }
  const file = join(folder, 'nginx.conf')
  await writeFile(file, mainFile(folder, siteAt(places, site)))
  const words = ['-c', file, '-p', folder]
  // throws what is wrong with the file
  execFileSync(PROGRAM, ['-t', ...words], { stdio: 'pipe' })
  const nginx = spawn(PROGRAM, words, { stdio: 'ignore' })
  const ended = once(nginx, 'exit')
  // it ends with the tests
  const stopNow = () => nginx.kill('SIGTERM')
  process.once('exit', stopNow)
  const ca = readFileSync(join(folder, 'certificate.pem'))
  const agent = new Agent({ keepAlive: true, ca, servername: NAME })
  const ask: Nginx['ask'] = (path, question) => askOver(agent, places.port, path, question)
  await untilOpen(() => ask('/healthz'))
  return {
    folder,
    ask,
    plainAddress: `http://127.0.0.1:${places.plainPort}`,
    accessLog: () => readFileSync(join(folder, 'access.log'), 'utf8'),
    errorLog: () => readFileSync(join(folder, 'error.log'), 'utf8'),
    stop: async () => {
      agent.destroy()
      process.off('exit', stopNow)
      stopNow()
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

async function untilOpen(ask: () => Promise<unknown>) {
  const patience = AbortSignal.timeout(20_000)
  for (;;) {
    try {
      await ask()
      return
    } catch (error) {
      if (patience.aborted) throw error
    }
  }
}

const askOver = (
  agent: Agent,
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: Question = {},
) =>
  new Promise<Answer>((resolve, reject) => {
    const isText = body === undefined || typeof body === 'string'
    const type = isText ? {} : { 'content-type': 'application/json' }
    const to = { host: '127.0.0.1', port, path, method, agent }
    const asking = request(
      { ...to, headers: { host: NAME, ...type, ...headers } },
      async (answer) => {
        try {
          let text = ''
          for await (const part of answer.setEncoding('utf8')) text += part
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
        } catch (error) {
          reject(error)
        }
      },
    )
    asking.once('error', reject).end(isText ? body : JSON.stringify(body))
  })
