import { useNavigate, useNavigation } from 'react-router'
import { Labelled } from './labelled.tsx'

type StateProps<State extends string> = {
  state: State | undefined
  /** The states to choose from, and their names. */
  states: readonly State[]
  names: Record<State, string>
}

/** Filters a list by the state of its entries, in the query string. */
export function StateFilter<State extends string>({ state, states, names }: StateProps<State>) {
  const navigate = useNavigate()
  const going = useNavigation().location
  const shown = going ? new URLSearchParams(going.search).get('state') : state
  return (
    <div className="max-sm:w-full">
      <Labelled label="State">
        {(id) => (
          <select
            id={id}
            value={shown ?? ''}
            onChange={({ target: { value } }) => void navigate(value ? `?state=${value}` : '?')}
            className="select w-full sm:w-56"
          >
            <option value="">All</option>
            {states.map((one) => (
              <option key={one} value={one}>
                {names[one]}
              </option>
            ))}
          </select>
        )}
      </Labelled>
    </div>
  )
}
