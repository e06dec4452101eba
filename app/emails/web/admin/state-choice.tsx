import { useNavigate } from 'react-router'
import { EMAIL_STATES, type EmailState } from '#app/emails/admin-contract.ts'
import { Labelled } from '#app/shared/web/form/labelled.tsx'
import { STATE_NAMES } from './labels.ts'

/** Filters the list by state, in the query string. */
export function StateChoice({ state }: { state: EmailState | undefined }) {
  const navigate = useNavigate()
  return (
    <div className="max-sm:w-full">
      <Labelled label="State">
        {(id) => (
          <select
            id={id}
            value={state ?? ''}
            onChange={({ target: { value } }) => void navigate(value ? `?state=${value}` : '?')}
            className="select w-full sm:w-40"
          >
            <option value="">All</option>
            {EMAIL_STATES.map((one) => (
              <option key={one} value={one}>
                {STATE_NAMES[one]}
              </option>
            ))}
          </select>
        )}
      </Labelled>
    </div>
  )
}
