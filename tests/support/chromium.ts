import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type LaunchOptions } from '@playwright/test'

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))

/** A browser without windows needs a third less CPU time than one that draws them for nobody. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/** Usual paths of the system's browser. */
const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Web security and site isolation stay enabled. */
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** On some systems it is a script that only explains how to install the browser. */
function runs(path: string, env = process.env): boolean {
  if (!existsSync(path)) return false
  if (process.platform !== 'linux') return true
  try {
    execFileSync(path, ['--version'], { env, stdio: 'ignore', timeout: 10_000 })
    return true
  } catch {
    return false
  }
}

/** The package's fonts in addition to the system's, which may have none. */
const fontsOf = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(folder, 'fonts', 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`

/** Unpacks Chromium, its libraries and fonts from the package into `folder`, all or nothing. */
async function unpack(packed: string, folder: string) {
  const { inflate } = await import('@sparticuz/chromium')
  await mkdir(CACHE, { recursive: true })
  const partial = await mkdtemp(`${folder}-`)
  const before = process.env.TMPDIR
  process.env.TMPDIR = partial // the package can be configured only by this variable
  const archives = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']
  const unpacking = archives.map((name) => inflate(join(packed, 'bin', name)))
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  await Promise.all(unpacking)
  await writeFile(join(partial, 'fonts.conf'), fontsOf(folder))
  await rename(partial, folder).catch(() => rm(partial, { recursive: true }))
}

/** The headless shell of the npm package; null where it does not run. */
async function packagedChromium() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const packed = fileURLToPath(new URL('..', import.meta.resolve('@sparticuz/chromium')))
  const { version } = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8'))
  const folder = join(CACHE, `chromium-${version}`)
  if (!existsSync(folder)) await unpack(packed, folder)
  const { LD_LIBRARY_PATH: libraries } = process.env
  const executablePath = join(folder, 'chromium')
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: [join(folder, 'al2023', 'lib'), libraries].filter(Boolean).join(':'),
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
  }
  return runs(executablePath, env) ? { executablePath, env } : null
}

/**
 * The launch options of Chromium: that of CHROMIUM_PATH, the system's headless shell, that of an npm
 * package on Linux, the system's browser, or Playwright's own. Throws a user-readable message when
 * there is none.
 */
export async function findChromium(): Promise<LaunchOptions> {
  const args = FLAGS
  const chosen = process.env.CHROMIUM_PATH
  if (chosen) return { args, executablePath: chosen }
  if (runs(HEADLESS_SHELL)) return { args, executablePath: HEADLESS_SHELL }
  const packaged = await packagedChromium()
  if (packaged) return { args, ...packaged }
  const executablePath = [...INSTALLED, chromium.executablePath()].find((path) => runs(path))
  if (executablePath) return { args, executablePath }
  throw new Error(
    'No Chromium was found: set CHROMIUM_PATH, or run `npx playwright install chromium`.',
  )
}
