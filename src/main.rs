//! ipspect: arguments in, a front end out.

use ipspect::{
    contract::Host,
    demo::{Demo, Options, Role, examples},
    engine::{Engine, GivenService, Overrides, Settings},
    tui,
};

fn main() -> anyhow::Result<()> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let settings = Settings::load(&Overrides::default())?;
        let demo = Demo::start(Options::default()).await?;
        let mut urls = Vec::new();
        for host in Host::ALL {
            urls.push((host, demo.url(host).parse()?));
        }
        let given = GivenService {
            urls,
            token: ipspect::contract::Token::new(demo.token(Role::Full))?,
            admitted: [
                "192.0.2.0/24",
                "198.51.100.0/24",
                "203.0.113.0/24",
                "198.18.0.0/15",
                "2001:db8::/32",
            ]
            .iter()
            .filter_map(|block| block.parse().ok())
            .collect(),
        };
        let engine = Engine::new(settings.on_invented(given));
        let examples = examples()
            .map(|example| (example.address.to_string(), example.shows.to_owned()))
            .collect();
        tui::run(
            engine,
            tui::Options {
                address: None,
                examples,
            },
        )
        .await?;
        Ok(())
    })
}
