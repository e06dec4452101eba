import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PROGRAM = [
  'package.json',
  'tools/check-size.ts',
  'bench/table.ts',
  'bench/visit/budget.ts',
  'bin/build-state.ts',
]
const KB = 1024

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

type Sizes = { vendor: number; own: number; siteMap: number; styles: number }
const SMALL: Sizes = { vendor: 100, own: 20, siteMap: 2, styles: 10 }

/** A tree with one page whose files have these sizes, in KB that gzip cannot make smaller. */
async function treeWith({ vendor, own, siteMap, styles }: Sizes, partBytes = 500) {
  const folder = await mkdtemp(join(tmpdir(), 'haat-sizes-'))
  folders.push(folder)
  const write = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  for (const path of PROGRAM) await cp(ROOT + path, join(folder, path))
  await write('app/root.tsx', '')
  await write('public/robots.txt', '')
  await write('build/client/assets/vendor-1.js', randomBytes(vendor * KB))
  await write('build/client/assets/home-1.js', randomBytes(own * KB))
  await write('build/client/assets/part-1.js', randomBytes(partBytes))
  await write('build/client/assets/home-1.css', randomBytes(styles * KB))
  const home = {
    id: 'home',
    module: '/assets/home-1.js',
    imports: ['/assets/vendor-1.js', '/assets/part-1.js'],
    css: ['/assets/home-1.css'],
  }
  const manifest = {
    url: '/assets/manifest-1.js',
    entry: { module: '/assets/home-1.js', imports: [] },
    routes: { home },
    rest: randomBytes(siteMap * KB).toString('base64'),
  }
  await write('build/client/assets/manifest-1.js', `window.manifest=${JSON.stringify(manifest)};`)
  await write('build/server/index.js', '')
  return folder
}

const check = (folder: string) =>
  promisify(execFile)(process.execPath, ['tools/check-size.ts', '--last-build'], { cwd: folder })
    .then(({ stdout }) => ({ fails: false, text: stdout }))
    .catch(({ stdout, stderr }) => ({ fails: true, text: `${stdout}${stderr}` }))

it('accepts a build whose pages keep each budget', async () => {
  expect(await check(await treeWith(SMALL))).toMatchObject({ fails: false })
})

it.each([
  [{ ...SMALL, vendor: 110 }, 'scripts of packages; the budget is 109.0 KB'],
  [{ ...SMALL, own: 23 }, 'scripts of its own; the budget is 22.0 KB'],
  [{ ...SMALL, siteMap: 5 }, 'site map; the budget is 4.0 KB'],
  [{ ...SMALL, styles: 15 }, 'styles; the budget is 14.0 KB'],
])('fails where one budget is passed: %o', async (sizes, problem) => {
  const { fails, text } = await check(await treeWith(sizes))
  expect(text).toContain(problem)
  expect(text.match(/Too large/g)).toHaveLength(1)
  expect(fails).toBe(true)
})

it('fails where a page loads a tiny file by itself', async () => {
  const { fails, text } = await check(await treeWith(SMALL, 299))
  expect(text).toContain('Too small: home loads /assets/part-1.js of 299 bytes by itself.')
  expect(fails).toBe(true)
})

it('says that it checks nothing where a source is newer than the build', async () => {
  const folder = await treeWith({ ...SMALL, own: 23 })
  const later = new Date(Date.now() + 60_000)
  await utimes(join(folder, 'app/root.tsx'), later, later)
  const { fails, text } = await check(folder)
  expect(text).toMatch(/^Page sizes are not checked: .* older than its sources/)
  expect(fails).toBe(false)
})
