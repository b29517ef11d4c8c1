import type { StaticEncode, TObject } from 'typebox';
import { Compile } from 'typebox/compile';
import { checkSchema } from './check-schema.ts';
import { Claims } from './claims.ts';
import { ElementReader, itemsAt, unsoundKeys, valueAt, type UnsoundKeys } from './elements.ts';
import { ConfigurationFileSchema } from './file-schema.ts';
import {
  MORE_FINDINGS,
  MORE_IN_FILE,
  someOf,
  type FileProblem,
  type Finding,
  type Path,
} from './finding.ts';
import type { Element } from './plan.ts';
import { AdSpaceSchema, type AdSpaceInput } from '../resources/ad-space.ts';
import { ApplicationSchema, type ApplicationInput } from './resources/application.ts';
import { BidderSchema, type BidderInput } from '../resources/bidder.ts';
import type { NamedIds } from './resources/deal.ts';
import { DealSchema, type DealInput } from '../resources/deal.ts';
import { DemandPartnerSchema, type DemandPartnerInput } from '../resources/demand-partner.ts';
import { ExchangeSchema, type ExchangeInput } from '../resources/exchange.ts';
import { LineItemSchema, type LineItemInput } from '../resources/line-item.ts';
import { OPERATOR, ofDemandPartner, ofPublisher, type Owner } from './resources/owner.ts';
import { AppSchema, SiteSchema, type AppInput, type SiteInput } from '../resources/property.ts';
import { PublisherSchema, type PublisherInput } from '../resources/publisher.ts';
import { UserSchema, emailKey, type UserInput } from './resources/user.ts';
import { readYaml } from './yaml.ts';

/** The resources of a file, one list for each kind, as far as they are sound. */
export interface FileContents {
  exchange: Element<ExchangeInput> | undefined;
  readonly demandPartners: Element<DemandPartnerInput>[];
  readonly bidders: Belonging<BidderInput, number>[];
  readonly lineItems: Belonging<LineItemInput, number>[];
  readonly publishers: Element<PublisherInput>[];
  readonly apps: Belonging<AppInput, number>[];
  readonly sites: Belonging<SiteInput, number>[];
  readonly adSpaces: Belonging<AdSpaceInput, number>[];
  readonly deals: Element<DealInput>[];
  readonly users: Belonging<UserInput, Owner>[];
  /** By the e-mail address of their user. */
  readonly applications: Belonging<ApplicationInput, string>[];
  readonly accounts: { readonly path: Path; readonly token: string; readonly owner: Owner }[];
  readonly named: NamedIds;
}

/** A resource and whom it belongs to. */
interface Belonging<Input, Holder> {
  readonly element: Element<Input>;
  readonly owner: Holder;
}

/** A file that could be read, and what is wrong with it before the store is asked. */
export interface ReadFile {
  readonly contents: FileContents;
  readonly problems: readonly FileProblem[];
  place(finding: Finding): FileProblem;
}

const fileValidator = Compile(ConfigurationFileSchema);
const exchangeReader = new ElementReader(ExchangeSchema);
const userReader = new ElementReader(UserSchema);
const applicationReader = new ElementReader(ApplicationSchema);
const demandPartnerReader = new ElementReader(DemandPartnerSchema);
const bidderReader = new ElementReader(BidderSchema);
const lineItemReader = new ElementReader(LineItemSchema);
const publisherReader = new ElementReader(PublisherSchema);
const appReader = new ElementReader(AppSchema);
const siteReader = new ElementReader(SiteSchema);
const adSpaceReader = new ElementReader(AdSpaceSchema);
const dealReader = new ElementReader(DealSchema);

/**
 * Reads a configuration file: its YAML, its form, and what it says twice. What is wrong with one
 * resource keeps nothing of the others from being checked.
 *
 * @returns the problems alone when the text is not YAML.
 */
export function readConfigurationFile(
  text: string,
): ReadFile | { problems: readonly FileProblem[] } {
  const yaml = readYaml(text);
  if (!('value' in yaml)) return { problems: someOf(yaml.problems, MORE_IN_FILE) };
  const findings = checkSchema(fileValidator, yaml.value);
  const walk = new FileWalk(unsoundKeys(findings));
  const contents = walk.read(yaml.value);
  const told = someOf([...findings, ...walk.claims.findings], MORE_FINDINGS);
  const placed = told.map((finding) => yaml.place(finding));
  // What YAML could not give was read as nothing, which is not worth a second complaint.
  const unread = new Set(yaml.problems.map(({ path }) => path));
  const problems = [...yaml.problems, ...placed.filter(({ path }) => !unread.has(path))];
  return {
    contents,
    problems: someOf(problems, MORE_IN_FILE),
    place: (finding) => yaml.place(finding),
  };
}

const AD_SPACE_ID = 'ad space id';
/** Apps and sites share their ids, since a request may name either. */
const PROPERTY_ID = 'app or site id';

class FileWalk {
  readonly claims = new Claims();
  readonly #unsound: UnsoundKeys;
  readonly #bidders: FileContents['bidders'] = [];
  readonly #lineItems: FileContents['lineItems'] = [];
  readonly #apps: FileContents['apps'] = [];
  readonly #sites: FileContents['sites'] = [];
  readonly #adSpaces: FileContents['adSpaces'] = [];
  readonly #users: FileContents['users'] = [];
  readonly #applications: FileContents['applications'] = [];
  readonly #accounts: FileContents['accounts'] = [];
  readonly #seats = new Set<unknown>();

  constructor(unsound: UnsoundKeys) {
    this.#unsound = unsound;
  }

  read(raw: unknown): FileContents {
    const exchange = valueAt(raw, 'exchange');
    this.#readUsers(itemsAt(raw, 'operators', []), OPERATOR);
    const demandPartners = this.#readEach(itemsAt(raw, 'demand_partners', []), (item, path) =>
      this.#readDemandPartner(item, path),
    );
    const publishers = this.#readEach(itemsAt(raw, 'publishers', []), (item, path) =>
      this.#readPublisher(item, path),
    );
    const deals = this.#readEach(itemsAt(raw, 'deals', []), (item, path) =>
      this.#readNamed(dealReader, 'deal id', item, path),
    );
    return {
      exchange:
        exchange === undefined
          ? undefined
          : exchangeReader.read(exchange, ['exchange'], this.#unsound),
      demandPartners,
      bidders: this.#bidders,
      lineItems: this.#lineItems,
      publishers,
      apps: this.#apps,
      sites: this.#sites,
      adSpaces: this.#adSpaces,
      deals,
      users: this.#users,
      applications: this.#applications,
      accounts: this.#accounts,
      named: { adSpaces: this.claims.of(AD_SPACE_ID), seats: this.#seats },
    };
  }

  #readDemandPartner(raw: unknown, path: Path): Element<DemandPartnerInput> | undefined {
    const partner = this.#readNamed(demandPartnerReader, 'demand partner id', raw, path);
    const id = partner?.input.id;
    const owner = id === undefined ? undefined : ofDemandPartner(id);
    this.#readAccount(raw, path, owner);
    this.#readUsers(itemsAt(raw, 'users', path), owner);
    const bidder = valueAt(raw, 'bidder');
    if (bidder !== undefined) {
      const element = bidderReader.read(bidder, [...path, 'bidder'], this.#unsound);
      this.#keep(this.#bidders, element, id);
    }
    for (const [item, itemPath] of itemsAt(raw, 'line_items', path)) {
      this.#seats.add(valueAt(item, 'seat'));
      const lineItem = this.#readNamed(lineItemReader, 'line item id', item, itemPath);
      this.#keep(this.#lineItems, lineItem, id);
    }
    return partner;
  }

  #readPublisher(raw: unknown, path: Path): Element<PublisherInput> | undefined {
    const publisher = this.#readNamed(publisherReader, 'publisher id', raw, path);
    const id = publisher?.input.id;
    const owner = id === undefined ? undefined : ofPublisher(id);
    this.#readAccount(raw, path, owner);
    this.#readUsers(itemsAt(raw, 'users', path), owner);
    for (const [item, itemPath] of itemsAt(raw, 'apps', path)) {
      const app = this.#readNamed(appReader, PROPERTY_ID, item, itemPath);
      this.#keep(this.#apps, app, id);
      this.#readAdSpaces(item, itemPath, app?.input.id);
    }
    for (const [item, itemPath] of itemsAt(raw, 'sites', path)) {
      const site = this.#readNamed(siteReader, PROPERTY_ID, item, itemPath);
      this.#keep(this.#sites, site, id);
      this.#readAdSpaces(item, itemPath, site?.input.id);
    }
    return publisher;
  }

  #readAdSpaces(raw: unknown, path: Path, propertyId: number | undefined): void {
    for (const [item, itemPath] of itemsAt(raw, 'ad_spaces', path)) {
      const adSpace = this.#readNamed(adSpaceReader, AD_SPACE_ID, item, itemPath);
      this.#keep(this.#adSpaces, adSpace, propertyId);
    }
  }

  #readUsers(items: readonly [unknown, Path][], owner: Owner | undefined): void {
    for (const [item, path] of items) {
      const email = valueAt(item, 'email');
      const key = typeof email === 'string' ? emailKey(email) : undefined;
      this.claims.claim('e-mail address', key, [...path, 'email']);
      const user = userReader.read(item, path, this.#unsound);
      this.#keep(this.#users, user, owner);
      for (const [application, applicationPath] of itemsAt(item, 'applications', path)) {
        const clientId = valueAt(application, 'client_id');
        this.claims.claim('client id', clientId, [...applicationPath, 'client_id']);
        const element = applicationReader.read(application, applicationPath, this.#unsound);
        this.#keep(this.#applications, element, user === undefined ? undefined : key);
      }
    }
  }

  #readAccount(raw: unknown, path: Path, owner: Owner | undefined): void {
    const key = 'account_auth_token';
    const tokenPath = [...path, key];
    const token = valueAt(raw, key);
    this.claims.claim('token', token, tokenPath, true);
    const isSound = this.#unsound.get(JSON.stringify(path))?.has(key) !== true;
    if (typeof token === 'string' && isSound && owner !== undefined) {
      this.#accounts.push({ path: tokenPath, token, owner });
    }
  }

  #readNamed<Schema extends TObject>(
    reader: ElementReader<Schema>,
    kind: string,
    raw: unknown,
    path: Path,
  ): Element<StaticEncode<Schema>> | undefined {
    this.claims.claim(kind, valueAt(raw, 'id'), [...path, 'id']);
    return reader.read(raw, path, this.#unsound);
  }

  #readEach<Input>(
    items: readonly [unknown, Path][],
    read: (item: unknown, path: Path) => Element<Input> | undefined,
  ): Element<Input>[] {
    const elements = items.map(([item, path]) => read(item, path));
    return elements.filter((element) => element !== undefined);
  }

  /** What belongs to a resource without a sound id cannot be looked up; its form was checked. */
  #keep<Input, Holder>(
    belongings: Belonging<Input, Holder>[],
    element: Element<Input> | undefined,
    owner: Holder | undefined,
  ): void {
    if (element !== undefined && owner !== undefined) belongings.push({ element, owner });
  }
}
