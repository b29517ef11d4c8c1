import { SETTINGS, type Settings } from '../../settings/settings.ts';
import { ask } from '../local-node.ts';
import { ok, warn, type Finding } from './finding.ts';

const WITHIN_MS = 5_000;

/** The addresses that others see: set, reachable from here, and secure where browsers need it. */
export async function checkPublicAddresses(
  settings: Settings,
  matchesUsers: boolean,
): Promise<Finding[]> {
  const keys = (['controlUrl', 'exchangeUrl', 'trackerUrl'] as const).filter((key) =>
    settings.roles.some((role) => key === `${role}Url`),
  );
  const reached = await Promise.all(keys.map((key) => checkAddress(key, settings)));
  return [...reached, ...checkSecurity(settings, matchesUsers), ...checkProxies(settings)];
}

type AddressKey = 'controlUrl' | 'exchangeUrl' | 'trackerUrl';

async function checkAddress(key: AddressKey, settings: Settings): Promise<Finding> {
  const check = `address of ${key.replace('Url', '')}`;
  const { flag, environment } = SETTINGS[key];
  const url = settings[key];
  if (url === null) {
    const message =
      'None is set, so that answers lead to localhost, which only this machine reaches.';
    const next = `Set ${flag} (${environment}) to the address that others see.`;
    return key === 'controlUrl'
      ? ok(check, 'None is set; localhost is told.')
      : warn(check, message, next);
  }
  const answer = await ask(`${url}/livez`, WITHIN_MS);
  if (answer?.status === 200) return ok(check, `${url} answers.`);
  const what = answer === null ? 'does not answer from here' : `answers ${answer.status}`;
  const next = `Look at the name server, the firewall and the proxy on the way, or correct ${environment}.`;
  return warn(check, `${url}/livez ${what}.`, next);
}

/** Browsers keep cookies of other sites on https alone. */
function checkSecurity({ exchangeUrl }: Settings, matchesUsers: boolean): Finding[] {
  if (!matchesUsers) return [];
  const check = 'user matching';
  if (exchangeUrl?.startsWith('https:') === true) {
    return [ok(check, 'The exchange has an https address, as browsers ask for.')];
  }
  const message =
    'A bidder matches users, and the exchange has no https address: no browser keeps its cookie.';
  return [warn(check, message, 'Set RIALTO_EXCHANGE_URL to the https address of the exchange.')];
}

/** Rialto itself speaks http: where the address is https, something stands in front. */
function checkProxies({
  exchangeUrl,
  trackerUrl,
  controlUrl,
  trustedProxies,
}: Settings): Finding[] {
  const check = 'proxies';
  const everybody = trustedProxies.find((range) => /^(0\.0\.0\.0|::)\/0$/.test(range));
  if (everybody !== undefined) {
    const next = "Name the proxies' own addresses in RIALTO_TRUSTED_PROXIES.";
    return [warn(check, `${everybody} is trusted: anybody can say whose request it is.`, next)];
  }
  const isBehind = [exchangeUrl, trackerUrl, controlUrl].some((url) => url?.startsWith('https:'));
  if (!isBehind || trustedProxies.length > 0) {
    const named =
      trustedProxies.length === 0 ? 'none, and none is needed' : trustedProxies.join(', ');
    return [ok(check, `Trusted: ${named}.`)];
  }
  const message =
    'An address is https, which a proxy ends, and no proxy is trusted: every request seems to be its own.';
  return [warn(check, message, 'Set RIALTO_TRUSTED_PROXIES to the addresses of the proxy.')];
}
