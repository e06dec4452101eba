import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
if (!existsSync(`${root}/build/server/index.js`))
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' })
await import('../server/main.ts')
