import type { Command } from 'commander'
import { formatFinding } from '#app/shared/server/doctor/finding.ts'
import { examine } from '#server/doctor/examine.ts'

async function doctor() {
  const findings = await examine(undefined, '.env')
  for (const finding of findings) console.log(formatFinding(finding))
  const problems = findings.filter(({ state }) => state === 'problem').length
  console.log(problems === 0 ? 'Nothing is wrong.' : `Wrong: ${problems}.`)
  if (problems > 0) process.exitCode = 1
}

export function addDoctorCommand(program: Command) {
  program
    .command('doctor')
    .description('check settings, database, disk, clock and payments, and recommend what to do')
    .action(doctor)
}
