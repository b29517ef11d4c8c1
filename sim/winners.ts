import { listOf, numberOr, parseJson, recordOf, textOr } from './decode.ts';

/** A bid in the exchange's answer to a publisher, as far as its page acts on it. */
export interface Winner {
  /** The request's id and the bid's `impid`: together they name the impression. */
  readonly requestId: string;
  readonly impId: string;
  /** As the request names them; '' where it does not. */
  readonly publisherId: string;
  readonly adSpaceId: string;
  /** The price told, in micro-dollars CPM: net or gross, as the publisher is configured. */
  readonly toldMicros: number;
  /** Whether the publisher decides: the request's `source.fd` is 1, or the bid has a `nurl`. */
  readonly decides: boolean;
  /** Where each beacon goes; undefined where the answer has no address for it. */
  readonly urls: Readonly<Record<BeaconKind, string | undefined>>;
}

/** What a page tells the exchange of an ad, in the order of its life. */
export type BeaconKind = 'win' | 'impression' | 'view' | 'click';

/**
 * The winners in an answer to an ad request; none when it is no bid response.
 *
 * @param request the request, as an object or as the text that was sent.
 */
export function readWinners(request: unknown, response: string): readonly Winner[] {
  const asked = recordOf(typeof request === 'string' ? parseJson(request) : request) ?? {};
  const decides = recordOf(asked['source'])?.['fd'] === 1;
  const owner = recordOf(asked['app']) ?? recordOf(asked['site']);
  const publisherId = textOr(recordOf(owner?.['publisher'])?.['id'], '');
  const adSpaceIds = new Map(
    listOf(asked['imp'])
      .map(recordOf)
      .map((imp) => [imp?.['id'], textOr(imp?.['tagid'], '')]),
  );
  return listOf(recordOf(parseJson(response))?.['seatbid'])
    .flatMap((seat) => listOf(recordOf(seat)?.['bid']))
    .map((bid) => recordOf(bid) ?? {})
    .map((bid) => {
      const urls = urlsOf(bid);
      return {
        requestId: textOr(asked['id'], ''),
        impId: textOr(bid['impid'], ''),
        publisherId,
        adSpaceId: adSpaceIds.get(bid['impid']) ?? '',
        // Prices have six decimals at most, so that the nearest whole number is the one told.
        toldMicros: Math.round(numberOr(bid['price'], 0) * 1_000_000),
        decides: decides || urls.win !== undefined,
        urls,
      };
    });
}

/** What a publisher has of the exchange in a bid: two fields of OpenRTB and two of its own. */
function urlsOf(bid: Record<string, unknown>): Winner['urls'] {
  const rialto = recordOf(recordOf(bid['ext'])?.['rialto']);
  return {
    win: textOr(bid['nurl'], undefined),
    impression: textOr(bid['burl'], undefined),
    view: textOr(rialto?.['view'], undefined),
    click: textOr(rialto?.['click'], undefined),
  };
}
