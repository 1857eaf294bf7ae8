# The formula of a release: `.ci/formula` fills in what stands between at signs.
class Ipspect < Formula
  desc "Terminal explorer for IP intelligence"
  homepage "@HOMEPAGE@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@HOMEPAGE@/releases/download/v@VERSION@/ipspect-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@aarch64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "@HOMEPAGE@/releases/download/v@VERSION@/ipspect-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "@HOMEPAGE@/releases/download/v@VERSION@/ipspect-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "ipspect"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/ipspect.bash" => "ipspect"
    zsh_completion.install "completions/ipspect.zsh" => "_ipspect"
    fish_completion.install "completions/ipspect.fish"
  end

  test do
    ENV["HOME"] = testpath
    assert_match "ACME_VPN", shell_output("#{bin}/ipspect lookup 198.51.100.77 --demo")
  end
end
