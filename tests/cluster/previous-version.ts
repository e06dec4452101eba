import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Files that the shop does not need to run. */
const LEFT_OUT = ['node_modules', '.git', 'tests', 'docs', 'bench']

/** A migration that only adds, as every release's must while the previous one still runs. */
const EXPANDING = `alter table products add column made_up_note text;
create index made_up_index on products (made_up_note) where made_up_note is not null;
`

const git = (...args: string[]) => execFileSync('git', ['-C', ROOT, ...args], { stdio: 'pipe' })

/** The code of the previous commit, built; it runs with the packages of this one. */
export function buildPrevious(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'haat-previous-'))
  git('worktree', 'add', '--detach', '--force', folder, 'HEAD^')
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  execFileSync('npm', ['run', 'build'], { cwd: folder, stdio: 'pipe' })
  return { folder, remove: () => git('worktree', 'remove', '--force', folder) }
}

/** This code with one more migration: what a shop is upgraded to. */
export function makeNext(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'haat-next-'))
  for (const name of readdirSync(ROOT).filter((found) => !LEFT_OUT.includes(found)))
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'db/migrations/9999_made_up.sql'), EXPANDING)
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}
