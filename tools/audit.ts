/**
 * Fails when a package has a known vulnerability of high severity or worse, or when the registry cannot
 * audit. Packages of the build count, too: the pages contain some of them. With `--allow-unreachable` a registry that
 * cannot audit is only reported. It fails, too, when the Node that runs it lacks a security fix, which npm does not know.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { auditNode } from './fixed-nodes.ts'

const NPM_ARGUMENTS = ['audit', '--audit-level=high']

const { values } = parseArgs({ options: { 'allow-unreachable': { type: 'boolean' } } })

const { stdout, status } = spawnSync('npm', [...NPM_ARGUMENTS, '--json'], { encoding: 'utf8' })

/** An audit report has a version; the error of a registry without audits has none. */
function isReport(text: string) {
  try {
    return 'auditReportVersion' in JSON.parse(text)
  } catch {
    return false
  }
}

const WAY_OUT = 'Use a registry with audits (npm_config_registry), or pass --allow-unreachable.'

if (!isReport(stdout)) {
  console.log(
    'npm audit: NOTHING WAS AUDITED. The registry gave no report, so no package was checked.',
  )
  if (!values['allow-unreachable']) {
    console.log(WAY_OUT)
    process.exitCode = 1
  }
} else if (status === 0) {
  console.log('npm audit: no known vulnerability of high severity.')
} else {
  spawnSync('npm', NPM_ARGUMENTS, { stdio: 'inherit' })
  process.exitCode = 1
}

const { problem, warning } = auditNode(Date.now())
if (warning) console.log(warning)
if (problem) {
  console.log(problem)
  process.exitCode = 1
}
