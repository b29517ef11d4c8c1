import { Counter, type Registry } from 'prom-client';

/** What became of a partner's part in user matching. */
export type SyncOutcome =
  /** Its address was put on a page. */
  | 'offered'
  /** It set its id of the user. */
  | 'stored'
  /** It took its id back. */
  | 'removed'
  /** What it set has not the form of an id: mostly a macro that was not filled. */
  | 'invalid'
  /** Consent does not allow it. */
  | 'no_consent'
  | 'opted_out'
  /** The browser brought no cookie: it keeps none for other sites. */
  | 'no_cookie'
  /** The signature is not of this partner and browser, or is over. */
  | 'refused'
  /** `customdata` of its answer was kept. */
  | 'customdata';

/** The counters of user matching. */
export interface UserMetrics {
  countSync(demandPartnerId: number, outcome: SyncOutcome): void;
}

export function createUserMetrics(registry: Registry): UserMetrics {
  const syncs = new Counter({
    name: 'rialto_user_syncs_total',
    help: 'User matching by demand partner and outcome: offered on a page, its id stored or removed, why it was not (invalid, no_consent, opted_out, no_cookie, refused), and customdata that was kept.',
    labelNames: ['demand_partner', 'outcome'],
    registers: [registry],
  });
  return {
    countSync: (demandPartnerId, outcome) => {
      syncs.inc({ demand_partner: demandPartnerId, outcome });
    },
  };
}
